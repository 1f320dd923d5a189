using System.Buffers;
using CoAP;

namespace SampleRecipes;

/// <summary>A share in percent.</summary>
internal readonly record struct Percent(byte Value);

internal sealed class PercentFormat() : PayloadFormat<Percent>(65_000, "percent")
{
    protected override void Write(IBufferWriter<byte> output, Percent value) => output.Write([value.Value]);

    protected override Percent Read(ReadOnlyMemory<byte> payload) => payload.Length == 1
        ? new Percent(payload.Span[0])
        : throw new CoapPayloadException($"A percentage has 1 byte, not {payload.Length}.");
}
