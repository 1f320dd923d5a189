namespace CoAP.Benchmarks.Load.Tests;

public sealed class StreamFrameTests
{
    [Theory]
    [InlineData("0145AA", 0x45, 3)]
    [InlineData("D1FF45AA", 0x45, 1 + 1 + 1 + 1 + 268)]
    [InlineData("E1010045AA", 0x45, 1 + 2 + 1 + 1 + 525)]
    [InlineData("F10001000045AA", 0x45, 1L + 4 + 1 + 1 + 131341)]
    [InlineData("F0FFFFFFFFE1", 0xE1, 6 + 4295033100L)]
    public void The_header_tells_the_length(string hex, byte code, long length)
    {
        StreamFrame.TryRead(Convert.FromHexString(hex), out var frame).Should().BeTrue();

        (frame.Code, frame.Length).Should().Be((code, length));
    }

    [Theory]
    [InlineData("")]
    [InlineData("01")]
    [InlineData("0145")]
    [InlineData("D1FF")]
    [InlineData("E10000")]
    [InlineData("F100000000")]
    public void An_incomplete_header_is_no_message(string hex)
    {
        StreamFrame.TryRead(Convert.FromHexString(hex), out _).Should().BeFalse();
    }
}
