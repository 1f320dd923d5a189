using CoAP.Serialization;
using CoAP.TestSupport;

namespace CoAP.Options;

public class OptionSetTests
{
    [Fact]
    [Trait("RFC", "7252 3.1")]
    public void Sorts_by_number_and_keeps_the_order_of_repeated_options()
    {
        OptionSet set = [new UriQuery("q"), new UriPath("b"), new Accept(0), new UriPath("a"), new UriHost("h")];

        set.Should().Equal(new UriHost("h"), new UriPath("b"), new UriPath("a"), new UriQuery("q"), new Accept(0));
        set.Count.Should().Be(5);
    }

    [Fact]
    public void Sorts_many_options_as_it_sorts_few()
    {
        var options = Enumerable.Range(0, 200).Select(index => (CoapOption)new UnknownOption(index * 7 % 50, new[] { (byte)index })).ToArray();

        var set = OptionSet.Create(options);

        set.Should().Equal(options.OrderBy(option => option.Number));
    }

    [Fact]
    [Trait("RFC", "7252 5.4.5")]
    public void Refuses_a_second_one_of_an_option_that_occurs_once()
    {
        var act = () => OptionSet.Create([new MaxAge(1), new ETag(new byte[1]), new MaxAge(2)]);

        act.Should().Throw<ArgumentException>().WithMessage("*14 (MaxAge) occurs twice*");
    }

    [Fact]
    public void Finds_options_by_type_and_number_however_it_was_made()
    {
        OptionSet built = [new UriPath("a"), new UriPath("b"), new Size1(7), new RequestTag(new byte[] { 1 })];

        foreach (var set in new[] { built, Received(built) })
        {
            set.Get<UriPath>().Should().Be(new UriPath("a"));
            set.GetAll<UriPath>().Should().Equal(new UriPath("a"), new UriPath("b"));
            set.Get<RequestTag>()!.Value.ToArray().Should().Equal(1);
            set.Get<Size1>()!.Value.Should().Be(7);
            (set.Get<Echo>(), set.Get<UriHost>()).Should().Be((null, null));
            (set.Contains(292), set.Contains(252), set.Contains(60), set.Contains(-1)).Should().Be((true, false, true, false));
            set.TryGetValue(11, out var first).Should().BeTrue();
            first.ToArray().Should().Equal((byte)'a');
        }
    }

    [Fact]
    public void Adds_and_removes_into_a_new_set()
    {
        OptionSet set = [new UriPath("a"), new Accept(50)];

        var more = Received(set).With(new UriPath("b"), new UriHost("h"));
        var less = more.Without(11);

        more.Should().Equal(new UriHost("h"), new UriPath("a"), new UriPath("b"), new Accept(50));
        less.Should().Equal(new UriHost("h"), new Accept(50));
        set.Count.Should().Be(2);
    }

    [Fact]
    [Trait("RFC", "7252 5.4.5")]
    public void Treats_a_surplus_received_option_as_unknown()
    {
        var set = Read("""
            d1 01 3c   # Max-Age: 60
            01 3d      # Max-Age: 61
            """);

        set.Should().Equal(new MaxAge(60), new UnknownOption(14, new byte[] { 61 }));
        set.GetAll<MaxAge>().Should().Equal(new MaxAge(60));
        set.With(new ContentFormat(0)).Should().HaveCount(3);
    }

    [Fact]
    [Trait("RFC", "7252 5.4.3")]
    public void Treats_a_received_option_of_wrong_length_as_unknown()
    {
        var set = Read("""
            70                     # Uri-Port, no bytes: 0
            54 01020304            # Content-Format of four bytes
            """);

        set.Should().Equal(new UriPort(0), new UnknownOption(12, new byte[] { 1, 2, 3, 4 }));
        set.Get<ContentFormat>().Should().BeNull();
        set.Contains<ContentFormat>().Should().BeTrue();
    }

    [Fact]
    [Trait("RFC", "7252 3.2")]
    public void Reads_a_uint_with_leading_zeros()
    {
        Read("c2 0032").Get<ContentFormat>()!.Value.Should().Be(50);
    }

    [Fact]
    [Trait("RFC", "8323 5.2")]
    public void Knows_that_each_signaling_code_has_numbers_of_its_own()
    {
        CoapMessageSerializer.Stream.TryRead(Hex.Bytes("20 e1 21 05"), out var csm, out _, out _).Should().BeTrue();
        CoapMessageSerializer.Stream.TryRead(Hex.Bytes("20 e4 21 61"), out var release, out _, out _).Should().BeTrue();
        CoapMessageSerializer.Stream.TryRead(Hex.Bytes("20 01 21 05"), out var request, out _, out _).Should().BeTrue();

        csm!.Options.Should().Equal(new MaxMessageSize(5));
        release!.Options.Should().Equal(new AlternativeAddress("a"));
        request!.Options.Should().Equal(new UnknownOption(2, new byte[] { 5 }));
        release.Options.Get<MaxMessageSize>().Should().BeNull();
        request.Options.Contains<MaxMessageSize>().Should().BeFalse();
    }

    [Fact]
    public void Equals_another_set_with_the_same_bytes()
    {
        OptionSet set = [new UriPath("a"), new ETag(new byte[] { 1, 2 })];

        (set == Received(set)).Should().BeTrue();
        set.GetHashCode().Should().Be(Received(set).GetHashCode());
        (set == set.With(new Accept(0))).Should().BeFalse();
        (OptionSet.Empty == Received([])).Should().BeTrue();
    }

    [Fact]
    public void Does_not_change_when_the_bytes_it_was_made_of_do()
    {
        var bytes = new byte[] { 1, 2 };
        OptionSet set = [new ETag(bytes)];

        bytes[0] = 9;

        set.TryGetValue(4, out var value);
        value.ToArray().Should().Equal(1, 2);
    }

    private static OptionSet Received(OptionSet set) =>
        CoapMessageSerializer.Datagram.Deserialize(CoapMessageSerializer.Datagram.Serialize(new() { Code = RequestCode.Get, Options = set })).Options;

    private static OptionSet Read(string options) => CoapMessageSerializer.Datagram.Deserialize([.. Hex.Bytes("40 01 0000"), .. Hex.Bytes(options)]).Options;
}
