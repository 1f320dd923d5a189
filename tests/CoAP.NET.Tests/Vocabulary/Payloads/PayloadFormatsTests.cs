using System.Buffers;

namespace CoAP.Tests.Vocabulary.Payloads;

public sealed class PayloadFormatsTests
{
    [Fact]
    public void The_first_format_that_handles_a_type_is_preferred()
    {
        Point.Formats.TryFind(typeof(Point), out var format).Should().BeTrue();
        format!.ContentFormat.Should().Be(Point.Text);
        Point.Formats.TryFind(typeof(Point), Point.Binary, out format).Should().BeTrue();
        format!.Name.Should().Be("point bytes");
        Point.Formats.TryFind(typeof(Point), ContentFormats.TextPlain, out _).Should().BeFalse();
        PayloadFormats.Default.TryFind(typeof(Point), out _).Should().BeFalse();
    }

    [Fact]
    public void A_set_names_its_formats()
    {
        Point.Formats.ToString().Should().Be("text (0), bytes (42), link format (40), problem details (257), point text (65001), point bytes (65002)");
    }

    [Fact]
    public void Mistakes_are_named()
    {
        var twice = new Numbered(7, "seven");

        FluentActions.Invoking(() => PayloadFormats.Of(twice, twice)).Should().Throw<ArgumentException>().WithMessage("Format 'seven' is in the set twice.");
        FluentActions.Invoking(() => PayloadFormats.Of(null!, twice)).Should().Throw<ArgumentNullException>();
        FluentActions.Invoking(() => new Numbered(65_536, "large")).Should().Throw<ArgumentOutOfRangeException>().WithMessage("*65,535*");
        FluentActions.Invoking(() => new Numbered(1, "")).Should().Throw<ArgumentException>().WithMessage("*name*");
        FluentActions.Invoking(() => new CoapClientSettings { Formats = null! }).Should().Throw<ArgumentNullException>().WithMessage("Formats is null*");
    }

    [Fact]
    public void Problem_details_and_bytes_are_read_and_written()
    {
        var problem = new ProblemDetails { Title = "no money" };
        PayloadFormats.Default.TryFind(typeof(ProblemDetails), out var format).Should().BeTrue();
        var output = new ArrayBufferWriter<byte>();
        format!.Write(output, problem);

        format.Read<ProblemDetails>(output.WrittenMemory).Should().Be(problem);
        format.Invoking(it => it.Read<ProblemDetails>(new byte[] { 1 })).Should().Throw<CoapPayloadException>();
        PayloadFormats.Default.TryFind(typeof(byte[]), out format).Should().BeTrue();
        format!.Read<ReadOnlyMemory<byte>>(new byte[] { 1, 2 }).ToArray().Should().Equal(1, 2);
    }

    private sealed class Numbered(uint number, string name) : PayloadFormat<Version>(number, name)
    {
        protected override void Write(IBufferWriter<byte> output, Version value) => throw new NotSupportedException();

        protected override Version Read(ReadOnlyMemory<byte> payload) => throw new NotSupportedException();
    }
}
