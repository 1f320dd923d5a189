using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace CoAP.Tests.Vocabulary.Payloads;

/// <summary>A type for typed payloads, with two formats of which the first is preferred.</summary>
internal sealed record Point(int X, int Y)
{
    public const uint Text = 65_001;
    public const uint Binary = 65_002;

    public static PayloadFormats Formats { get; } = PayloadFormats.Of(new PointText(), new PointBytes());

    private sealed class PointText() : PayloadFormat<Point>(Text, "point text")
    {
        protected override void Write(IBufferWriter<byte> output, Point value) => Encoding.ASCII.GetBytes($"{value.X};{value.Y}", output);

        protected override Point Read(ReadOnlyMemory<byte> payload)
        {
            var bytes = payload.Span;
            var middle = bytes.IndexOf((byte)';');
            if (middle < 0) { throw new CoapPayloadException("The point has no semicolon.", payload.Length); }
            if (!Utf8Parser.TryParse(bytes[..middle], out int x, out var length) || length != middle) { throw new CoapPayloadException("X is not a number (at byte 0).", 0); }
            return new Point(x, int.Parse(bytes[(middle + 1)..]));
        }
    }

    private sealed class PointBytes() : PayloadFormat<Point>(Binary, "point bytes")
    {
        protected override void Write(IBufferWriter<byte> output, Point value) => output.Write([(byte)value.X, (byte)value.Y]);

        protected override Point Read(ReadOnlyMemory<byte> payload) => payload.Length == 2
            ? new Point(payload.Span[0], payload.Span[1])
            : throw new CoapPayloadException($"The point has {payload.Length} bytes; 2 are required.", 0);
    }
}
