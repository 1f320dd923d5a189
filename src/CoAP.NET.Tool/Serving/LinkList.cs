using System.Security.Cryptography;
using CoAP.Discovery;
using CoAP.Options;

namespace CoAP.Tool.Serving;

/// <summary>The links of files and folders, and their text with its tag, which are made once for all clients.</summary>
internal sealed class LinkList(IReadOnlyList<WebLink> links)
{
    public IReadOnlyList<WebLink> Links => links;

    /// <summary>The links in the link format.</summary>
    public byte[] Text => field ??= LinkFormat.Serialize(links);

    /// <summary>The tag of the text. Without one, a client could join the blocks of two lists (RFC 7959, section 2.4).</summary>
    public ETag Tag => field ??= new ETag(SHA256.HashData(Text).AsMemory(0, FileTag.Length));
}
