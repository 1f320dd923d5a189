using CoAP.Serialization;
using CoAP.TestSupport;

namespace CoAP.Options;

public class OptionCheckTests
{
    [Theory]
    [InlineData("", -1, "no options")]
    [InlineData("b1 61", -1, "a known critical option")]
    [InlineData("22 0102", -1, "an unknown elective option")]
    [InlineData("d0 05", -1, "an unknown elective option of a large number (18)")]
    [InlineData("b1 61 21 62", 13, "an unknown critical option (13) behind a known one")]
    [InlineData("d0 38", 69, "an unknown critical option whose number shares the last bit (13 + 56)")]
    [Trait("RFC", "7252 5.4.1")]
    public void Finds_critical_options_without_a_declaration(string options, int expected, string because)
    {
        Find(options).Should().Be(expected, because);
    }

    [Theory]
    [InlineData("30", 3, "Uri-Host without bytes")]
    [InlineData("73 010203", 7, "Uri-Port of three bytes")]
    [InlineData("b1 ff", 11, "Uri-Path that is no UTF-8")]
    [InlineData("b2 2e2e", 11, "Uri-Path of two dots")]
    [InlineData("51 00", 5, "If-None-Match with a value")]
    [InlineData("c3 010203", -1, "Content-Format of three bytes, which is elective")]
    [InlineData("40", -1, "ETag without bytes, which is elective")]
    [Trait("RFC", "7252 5.4.3")]
    public void Treats_a_critical_option_with_a_wrong_value_as_unrecognized(string options, int expected, string because)
    {
        Find(options).Should().Be(expected, because);
    }

    [Theory]
    [InlineData("31 61 01 62", 3, "two Uri-Host")]
    [InlineData("d1 04 32 01 33", 17, "two Accept")]
    [InlineData("b1 61 01 62", -1, "two Uri-Path, which is repeatable")]
    [InlineData("d1 01 01 01 02", -1, "two Max-Age, which is elective")]
    [Trait("RFC", "7252 5.4.5")]
    public void Treats_a_surplus_critical_option_as_unrecognized(string options, int expected, string because)
    {
        Find(options).Should().Be(expected, because);
    }

    [Theory]
    [InlineData("d1 12 01", 31, BlockOption.MaxRepeated)]
    [InlineData("11 01", 1, IfMatch.MaxRepeated)]
    [InlineData("b1 61", -1, 5000)]
    [InlineData("41 01", -1, 5000)]
    [Trait("RFC", "7252 5.4.5")]
    public void Treats_a_critical_option_that_is_repeated_too_often_as_unrecognized(string first, int number, int limit)
    {
        var most = first + string.Concat(Enumerable.Repeat(" 01 61", limit - 1));

        Find(most).Should().Be(-1);
        Find(most + " 01 61").Should().Be(number);
    }

    [Fact]
    [Trait("RFC", "7252 5.4.5")]
    public void Stops_at_the_limit_and_names_it()
    {
        var repeated = string.Concat(Enumerable.Repeat(" 01 61", BlockOption.MaxRepeated));
        var message = CoapMessageSerializer.Datagram.Deserialize(Hex.Bytes($"40 01 0000 d1 12 01 {repeated} 04 01020304"));

        message.Options.Count.Should().Be(BlockOption.MaxRepeated + 2);
        OptionCheck.Explain(message.Options, OptionRegistry.Default, message.Code, 31).Should()
            .Be("critical option 31 (Q-Block2) occurs more than 256 times (RFC 7252, section 5.4.5)");
    }

    [Theory]
    [InlineData(ETag.MaxCompared - 1, true)]
    [InlineData(ETag.MaxCompared, false)]
    public void An_ETag_is_compared_with_the_first_ones_of_a_request_and_no_option_is_created(int others, bool expected)
    {
        var tag = new ETag(new byte[] { 2 });
        var options = CoapMessageSerializer.Datagram.Deserialize(
            [.. Hex.Bytes("40 01 0000 41 01"), .. Enumerable.Repeat(Hex.Bytes("01 01"), others - 1).SelectMany(static one => one), 1, 2])
                .Options;
        tag.IsListedIn(options).Should().Be(expected);

        var allocated = Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++) { tag.IsListedIn(options); }
        });

        allocated.Should().Be(0);
    }

    [Fact]
    [Trait("RFC", "8323 5.2")]
    public void Looks_into_the_number_space_of_the_code()
    {
        var request = CoapMessageSerializer.Stream.Deserialize(Hex.Bytes("20 01 b1 61"));
        var csm = CoapMessageSerializer.Stream.Deserialize(Hex.Bytes("20 e1 b1 61"));

        OptionCheck.FindUnrecognizedCritical(request.Options, OptionRegistry.Default, request.Code, out _).Should().BeFalse();
        OptionCheck.FindUnrecognizedCritical(csm.Options, OptionRegistry.Default, csm.Code, out var number).Should().BeTrue();
        number.Should().Be(11);
    }

    [Fact]
    public void Allocates_nothing()
    {
        var options = CoapMessageSerializer.Datagram.Deserialize(Hex.Bytes("40 01 0000 31 61 81 62 01 63 42 6364 81 0e")).Options;

        var allocated = Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++) { OptionCheck.FindUnrecognizedCritical(options, OptionRegistry.Default, RequestCode.Get, out _); }
        });

        allocated.Should().Be(0);
    }

    private static int Find(string options)
    {
        var message = CoapMessageSerializer.Datagram.Deserialize([.. Hex.Bytes("40 01 0000"), .. Hex.Bytes(options)]);
        var found = OptionCheck.FindUnrecognizedCritical(message.Options, OptionRegistry.Default, message.Code, out var number);
        found.Should().Be(number >= 0);
        return number;
    }
}
