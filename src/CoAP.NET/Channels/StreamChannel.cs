namespace CoAP.Channels;

/// <summary>One connection of a reliable transport, as its lane keeps it (RFC 8323).</summary>
internal abstract class StreamChannel(LaneContext lane, ChannelKey key) : LaneChannel(lane, key), IRequestOrigin
{
    public bool IsReliable => true;

    /// <summary>Whether a thread of its own serves the connection, so that handlers may block it.</summary>
    public abstract bool RunsHandlers { get; }

    /// <summary>The largest message that the peer takes, in bytes (RFC 8323, section 5.3.1).</summary>
    public abstract int MaxSendSize { get; }

    /// <summary>Ends the connection because its bytes make no sense (RFC 8323, section 5.6).</summary>
    public abstract void AbortMalformed(FormatError error);

    public abstract IChannel OpenChannel(ReceivedRequest request);

    public abstract void Acknowledge(ReceivedRequest request);
}
