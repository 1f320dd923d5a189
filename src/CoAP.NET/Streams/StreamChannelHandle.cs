using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Streams;

/// <summary>What users hold of a connection.</summary>
internal sealed class StreamChannelHandle(StreamChannel channel) : ChannelHandle(channel.Lane, channel.Key)
{
    public StreamChannel Channel => channel;

    public override bool IsClosed => channel.IsClosed;

    public override MessageLimits? Limits => channel.Limits;

    public override int? PeerMaxTokenLength => channel.PeerMaxTokenLength;

    public override LaneChannel Open() => channel;

    public override void ThrowIfTooLarge(long size)
    {
        if (size > channel.MaxSendSize) { throw new ArgumentException(channel.TooLarge(size)); }
    }

    // A small request fits whatever the first message of the peer will say.
    protected override bool TryGetLimits(CoapRequest request, in OptionSet options, out MessageLimits limits)
    {
        limits = channel.KnownLimits;
        return channel.Limits is not null || (request.Body is null && StreamRequests.SizeOf(request.Payload, options) <= channel.MaxSendSize);
    }

    // Writing may block if the connection has a thread of its own, and only a caller who parks may be held up.
    protected override void Post(ClientCall call, bool parked)
    {
        if (parked || !channel.IsBlocking) { Lane.PostRequest(call); }
        else { Lane.Post(call); }
    }
}
