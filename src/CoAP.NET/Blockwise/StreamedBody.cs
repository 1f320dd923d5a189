using CoAP.Resources;

namespace CoAP.Blockwise;

/// <summary>Marks a resource whose handlers read the body of a request while its blocks arrive.</summary>
internal sealed class StreamedBody(long maxSize) : ResourceFeature
{
    /// <summary>The largest body in bytes. <see cref="ServerTransferSettings.MaxStreamedSize"/> also applies.</summary>
    public long MaxSize => maxSize;
}
