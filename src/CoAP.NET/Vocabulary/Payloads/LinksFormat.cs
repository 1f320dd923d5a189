using System.Buffers;
using CoAP.Discovery;

namespace CoAP.Vocabulary;

/// <summary>application/link-format (RFC 6690). The links of a payload take at most 128 MiB of memory.</summary>
internal sealed class LinksFormat() : PayloadFormat<IReadOnlyList<WebLink>>(ContentFormats.LinkFormat, "link format")
{
    // A link is 3 bytes of text and about 64 bytes of memory, so a small payload can become a large list.
    private const long MaxMemory = 128 << 20;

    protected override void Write(IBufferWriter<byte> output, IReadOnlyList<WebLink> value) => output.Write(LinkFormat.Serialize(value));

    protected override IReadOnlyList<WebLink> Read(ReadOnlyMemory<byte> payload) =>
        LinkFormat.TryParse(payload.Span, MaxMemory, out var links, out var error) ? links : throw new CoapPayloadException(error);
}
