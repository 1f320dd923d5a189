using CoAP.Options;

namespace CoAP;

/// <summary>The position and the representation with which a download is resumed (RFC 7959, section 2.4).</summary>
public sealed record TransferPosition
{
    private const int SmallestBlock = 16;

    /// <summary>Creates a position in a representation.</summary>
    /// <exception cref="ArgumentException">The offset is not a multiple of 16 bytes, so no block begins there.</exception>
    public TransferPosition(long offset, ETag etag)
    {
        ArgumentNullException.ThrowIfNull(etag);
        if (offset < 0 || offset % SmallestBlock != 0)
        {
            throw new ArgumentException($"No block begins at byte {offset}. The offset must be a multiple of {SmallestBlock}.", nameof(offset));
        }
        (Offset, ETag) = (offset, etag);
    }

    /// <summary>The number of bytes that have already been received.</summary>
    public long Offset { get; }

    /// <summary>The ETag of the representation. The download fails if the representation has changed.</summary>
    public ETag ETag { get; }
}
