using System.Buffers;

namespace CoAP.Formats;

/// <summary>The payload format of SenML packs in JSON: "application/senml+json", Content-Format 110 (RFC 8428, section 5).</summary>
/// <param name="limits">The bounds of what a received payload may cost; <see langword="null"/> for the default ones.</param>
/// <param name="settings">The bounds and rules of SenML; <see langword="null"/> for the default ones.</param>
/// <remarks>Immutable. Safe for concurrent use.</remarks>
public sealed class SenmlJsonFormat(PayloadLimits? limits = null, SenmlSettings? settings = null)
    : PayloadFormat<SenmlPack>(ContentFormats.SenmlJson, "SenML JSON")
{
    /// <inheritdoc/>
    protected override void Write(IBufferWriter<byte> output, SenmlPack value) => SenmlJson.Write(output, value, settings);

    /// <inheritdoc/>
    protected override SenmlPack Read(ReadOnlyMemory<byte> payload) => SenmlJson.Read(payload, limits, settings);
}
