using CoAP.Options;

namespace CoAP;

/// <summary>Where a download goes on, and with which representation (RFC 7959, section 2.4).</summary>
public sealed record TransferPosition
{
    private const int SmallestBlock = 16;

    /// <summary>Names a place in a representation.</summary>
    /// <exception cref="ArgumentException">The offset is no multiple of 16 bytes, so that no block begins there.</exception>
    public TransferPosition(long offset, ETag etag)
    {
        ArgumentNullException.ThrowIfNull(etag);
        if (offset < 0 || offset % SmallestBlock != 0)
        {
            throw new ArgumentException($"No block begins at byte {offset}; multiples of {SmallestBlock} are possible.", nameof(offset));
        }
        (Offset, ETag) = (offset, etag);
    }

    /// <summary>The bytes that are there already.</summary>
    public long Offset { get; }

    /// <summary>The representation that they are of; another one ends the download.</summary>
    public ETag ETag { get; }
}
