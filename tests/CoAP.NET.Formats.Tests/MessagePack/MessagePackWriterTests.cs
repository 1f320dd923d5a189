using System.Buffers;

namespace CoAP.Formats.Tests;

public sealed class MessagePackWriterTests
{
    [Fact]
    public void A_text_with_a_lone_surrogate_is_an_error_of_the_caller_and_writes_nothing()
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new MessagePackWriter(output);

        foreach (var text in (string[])["\ud800", "a\udc00b", $"{new string('x', 40)}\ud83d"])
        {
            writer.Invoking(one => one.WriteText(text)).Should().Throw<ArgumentException>().WithMessage("*lone surrogate at index*");
        }

        writer.WriteNull();
        writer.Flush();
        output.WrittenSpan.ToArray().Should().Equal(0xc0);
    }

    [Theory]
    [InlineData("äöü", "a6c3a4c3b6c3bc")]
    [InlineData("水水水水水水水水水水", "bee6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4")]
    [InlineData("水水水水水水水水水水水", "d921e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4e6b0b4")]
    [InlineData("𐍈𐍈𐍈𐍈𐍈𐍈𐍈𐍈", "d920f0908d88f0908d88f0908d88f0908d88f0908d88f0908d88f0908d88f0908d88")]
    public void The_length_of_a_text_is_that_of_its_bytes(string text, string expected)
    {
        MessagePackDocument.WriteHex(writer => writer.WriteText(text)).Should().Be(expected);
        MessagePackDocument.ReadHex(expected, static reader => reader.ReadText()).Should().Be(text);
    }

    [Fact]
    public void Negative_counts_are_errors_of_the_caller()
    {
        var writer = new MessagePackWriter(new ArrayBufferWriter<byte>());

        writer.Invoking(static one => one.WriteArrayStart(-1)).Should().Throw<ArgumentOutOfRangeException>();
        writer.Invoking(static one => one.WriteMapStart(-1)).Should().Throw<ArgumentOutOfRangeException>();
        FluentActions.Invoking(static () => new MessagePackWriter(null!)).Should().Throw<ArgumentNullException>();
    }

    [Fact]
    public void Nothing_reaches_the_buffer_before_it_is_flushed()
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new MessagePackWriter(output);

        writer.WriteInt64(5);
        output.WrittenCount.Should().Be(0);
        writer.Flush();
        writer.Flush();
        output.WrittenSpan.ToArray().Should().Equal(5);
    }
}
