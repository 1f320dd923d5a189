using System.Text;

namespace CoAP.Options;

public class SharedOptionsTests
{
    [Fact]
    public void Options_of_equal_short_values_are_one_object_on_a_thread()
    {
        foreach (var (declaration, value) in new[] { (UriPath.Declaration, "temperature"), (UriQuery.Declaration, "a=1"), (ETag.Declaration, "12345678"), (MaxAge.Declaration, "!") })
        {
            var bytes = Encoding.ASCII.GetBytes(value);

            declaration.Create(bytes).Should().NotBeNull().And.BeSameAs(declaration.Create([.. bytes]));
        }
    }

    [Fact]
    public void Options_of_long_values_are_made_each_time()
    {
        var bytes = Encoding.ASCII.GetBytes("seventeen letters");

        UriPath.Declaration.Create(bytes).Should().NotBeSameAs(UriPath.Declaration.Create(bytes)).And.Be(new UriPath("seventeen letters"));
    }

    [Fact]
    public void Whatever_was_made_before_the_option_has_the_value_of_its_bytes()
    {
        const int Seed = 20_260;
        var random = new Random(Seed);
        for (var i = 0; i < 50_000; i++)
        {
            // Few different bytes, zero among them, so that values are often equal or begin or end alike.
            var value = new byte[random.Next(0, 19)];
            foreach (ref var part in value.AsSpan()) { part = (byte)random.Next(0, 2); }
            var text = Encoding.UTF8.GetString(value);

            UriPath.Declaration.Create(value).Should().Be(new UriPath(text), "seed {0}, value {1}", Seed, i);
            UriQuery.Declaration.Create(value).Should().Be(new UriQuery(text), "seed {0}, value {1}", Seed, i);
        }
    }

    [Fact]
    public void Bytes_that_are_no_value_stay_none()
    {
        foreach (var _ in new int[2])
        {
            UriPath.Declaration.Create([0xFF, 0xFE]).Should().BeNull("that is no UTF-8");
            UriPath.Declaration.Create("."u8).Should().BeNull();
            ETag.Declaration.Create([]).Should().BeNull();
            ETag.Declaration.Create("123456789"u8).Should().BeNull();
            ContentFormat.Declaration.Create([0, 0, 1]).Should().BeNull();
        }
    }

    [Fact]
    public void A_number_with_leading_zeros_is_the_number()
    {
        ContentFormat.Declaration.Create([]).Should().Be(new ContentFormat(0));
        ContentFormat.Declaration.Create([0]).Should().Be(new ContentFormat(0));
        ContentFormat.Declaration.Create([0, 40]).Should().Be(new ContentFormat(40));
        ContentFormat.Declaration.Create([200]).Should().Be(new ContentFormat(200));
        MaxAge.Declaration.Create([1, 44]).Should().Be(new MaxAge(300));
    }
}
