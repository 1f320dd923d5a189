using System.Buffers;
using CoAP.Discovery;

namespace CoAP.Vocabulary;

/// <summary>application/link-format (RFC 6690). The links of a payload take at most 128 MiB of memory.</summary>
internal sealed class LinksFormat() : PayloadFormat<IReadOnlyList<WebLink>>(ContentFormats.LinkFormat, "link format")
{
    protected override void Write(IBufferWriter<byte> output, IReadOnlyList<WebLink> value) => output.Write(LinkFormat.Serialize(value));

    protected override IReadOnlyList<WebLink> Read(ReadOnlyMemory<byte> payload) =>
        LinkFormat.TryParse(payload.Span, out var links, out var error) ? links : throw new CoapPayloadException(error);
}
