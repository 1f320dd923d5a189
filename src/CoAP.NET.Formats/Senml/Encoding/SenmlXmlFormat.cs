using System.Buffers;

namespace CoAP.Formats;

/// <summary>The payload format of SenML packs in XML: "application/senml+xml", Content-Format 310 (RFC 8428, section 7).</summary>
/// <param name="limits">The bounds of what a received payload may cost; <see langword="null"/> for the default ones.</param>
/// <param name="settings">The bounds and rules of SenML; <see langword="null"/> for the default ones.</param>
/// <remarks>Immutable. Safe for concurrent use.</remarks>
public sealed class SenmlXmlFormat(PayloadLimits? limits = null, SenmlSettings? settings = null)
    : PayloadFormat<SenmlPack>(ContentFormats.SenmlXml, "SenML XML")
{
    /// <inheritdoc/>
    protected override void Write(IBufferWriter<byte> output, SenmlPack value) => SenmlXml.Write(output, value, settings);

    /// <inheritdoc/>
    protected override SenmlPack Read(ReadOnlyMemory<byte> payload) => SenmlXml.Read(payload, limits, settings);
}
