using System.Buffers;

namespace CoAP.Formats;

/// <summary>The payload format of SenML packs in CBOR: "application/senml+cbor", Content-Format 112 (RFC 8428, section 6).</summary>
/// <param name="limits">The bounds of what a received payload may cost; <see langword="null"/> for the default ones.</param>
/// <param name="settings">The bounds and rules of SenML; <see langword="null"/> for the default ones.</param>
/// <remarks>Immutable. Safe for concurrent use.</remarks>
public sealed class SenmlCborFormat(PayloadLimits? limits = null, SenmlSettings? settings = null)
    : PayloadFormat<SenmlPack>(ContentFormats.SenmlCbor, "SenML CBOR")
{
    /// <inheritdoc/>
    protected override void Write(IBufferWriter<byte> output, SenmlPack value) => SenmlCbor.Write(output, value, settings);

    /// <inheritdoc/>
    protected override SenmlPack Read(ReadOnlyMemory<byte> payload) => SenmlCbor.Read(payload, limits, settings);
}
