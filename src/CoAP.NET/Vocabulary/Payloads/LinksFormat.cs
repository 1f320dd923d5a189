using System.Buffers;
using CoAP.Discovery;

namespace CoAP.Vocabulary;

/// <summary>application/link-format (RFC 6690).</summary>
internal sealed class LinksFormat() : PayloadFormat<IReadOnlyList<WebLink>>(ContentFormats.LinkFormat, "link format")
{
    protected override void Write(IBufferWriter<byte> output, IReadOnlyList<WebLink> value) => output.Write(LinkFormat.Serialize(value));

    protected override IReadOnlyList<WebLink> Read(ReadOnlyMemory<byte> payload)
    {
        try { return LinkFormat.Parse(payload.Span); }
        catch (FormatException exception) { throw new CoapPayloadException(exception.Message, innerException: exception); }
    }
}
