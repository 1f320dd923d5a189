using CoAP.Tool.Requests;

namespace CoAP.Tool.Tests.Requests;

public sealed class OptionArgumentTests
{
    [Theory]
    [InlineData("If-Match=0x1f02", 1, "1f02")]
    [InlineData("ifmatch=ab", 1, "6162")]
    [InlineData("If-None-Match", 5, "")]
    [InlineData("Uri-Query=a=b", 15, "613d62")]
    [InlineData("Accept=0", 17, "")]
    [InlineData("Accept=50", 17, "32")]
    [InlineData("Size1=65536", 60, "010000")]
    [InlineData("17=60", 17, "3c")]
    [InlineData("65000=text", 65000, "74657874")]
    public void Values_are_written_as_the_option_defines(string text, int number, string expected)
    {
        var option = OptionArgument.Parse(text);

        var value = new byte[option.ValueLength];
        option.WriteValue(value);
        option.Number.Should().Be(number);
        Convert.ToHexStringLower(value).Should().Be(expected);
    }

    [Theory]
    [InlineData("ETag=0x010203040506070809", "*9 bytes; ETag has 1 to 8 bytes*")]
    [InlineData("65536=1", "*65536 is too large; at most 65535*")]
    [InlineData("Accept=-1", "*needs a number from 0 to*")]
    [InlineData("Accept=0xzz", "*hexadecimal digits*")]
    public void A_wrong_value_is_refused_with_its_limit(string text, string message)
    {
        var parse = () => OptionArgument.Parse(text);

        parse.Should().Throw<FormatException>().WithMessage(message);
    }
}
