using CoAP.Tool.Running;

namespace CoAP.Tool.Tests.Running;

public sealed class SizeArgumentTests
{
    [Theory]
    [InlineData("1000", 1000L)]
    [InlineData("500K", 512_000L)]
    [InlineData("10m", 10_485_760L)]
    [InlineData("2G", 2_147_483_648L)]
    [InlineData("-1", null)]
    [InlineData("2000G", null)]
    [InlineData("9223372036854775807", null)]
    [InlineData("K", null)]
    public void A_size_has_a_unit(string text, long? expected)
    {
        SizeArgument.TryParse(text, out var size).Should().Be(expected is not null);

        if (expected is not null) { size.Should().Be(expected); }
    }
}
