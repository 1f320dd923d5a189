namespace CoAP;

/// <content>How handlers get the bodies of requests.</content>
public sealed partial class Resource
{
    private long _streamedLimit;
    private bool _streamsBody;

    /// <summary>
    /// Has the handlers of this resource called with the first block of a request, and the body read from <see cref="IncomingRequest.Body"/> as
    /// blocks come, instead of collecting it first (RFC 7959, section 2.5).
    /// </summary>
    /// <param name="maxSize">The largest body in bytes; by default <see cref="ServedBodySettings.MaxStreamedSize"/>. A larger one is answered 4.13.</param>
    /// <remarks>
    /// The client is held back while <see cref="ServedBodySettings.StreamWindow"/> bytes wait to be read. A transfer that breaks off ends the
    /// body with a <see cref="CoapTransferException"/>; a handler that answers before the end ends the transfer with its answer. What was read
    /// until then is the handler's to undo.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public Resource StreamsBody(long? maxSize = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(maxSize ?? 0, nameof(maxSize));
        Volatile.Write(ref _streamedLimit, maxSize ?? long.MaxValue);
        Volatile.Write(ref _streamsBody, true);
        return this;
    }

    /// <summary>Whether handlers read bodies as they come, and how much.</summary>
    internal bool TryGetStreamedLimit(out long limit)
    {
        limit = Volatile.Read(ref _streamedLimit);
        return Volatile.Read(ref _streamsBody);
    }
}
