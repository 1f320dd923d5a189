using CoAP.Blockwise;

namespace CoAP;

/// <summary>Selects how the handlers of a resource receive large bodies (RFC 7959).</summary>
public static class ResourceBodyExtensions
{
    /// <summary>
    /// Calls the handlers with the first block of a request. They read the body from <see cref="IncomingRequest.Body"/> while its blocks
    /// arrive. Without this call the library collects the whole body first (RFC 7959, section 2.5).
    /// </summary>
    /// <param name="resource">The resource.</param>
    /// <param name="maxSize">The largest body in bytes; a larger one gets 4.13. Default: <see cref="ServerTransferSettings.MaxStreamedSize"/>.</param>
    /// <remarks>
    /// <para>The client has to wait while <see cref="ServerTransferSettings.StreamWindow"/> bytes are unread. If the transfer fails,
    /// reading throws a <see cref="CoapTransferException"/>. The handler then has to undo the effects of the bytes that it has read, and may let the exception
    /// pass: the client gets 4.08, and nothing is logged.</para>
    /// <para>A handler may respond before the end of the body. An error ends the transfer at once. A success is sent after the last block.</para>
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxSize"/> is negative.</exception>
    public static Resource StreamsBody(this Resource resource, long? maxSize = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(maxSize ?? 0, nameof(maxSize));
        resource.Features.Set(new StreamedBody(maxSize ?? long.MaxValue));
        return resource;
    }
}
