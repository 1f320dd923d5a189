using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Streams;

/// <summary>The channel object through which users access a connection.</summary>
internal sealed class StreamChannelHandle(StreamChannel channel) : ChannelHandle(channel.Lane, channel.Key)
{
    public override bool IsClosed => channel.IsClosed;

    public override CancellationToken Closed => channel.Lifetime.Ended;

    public override MessageLimits? Limits => channel.Limits;

    public override int? PeerMaxTokenLength => channel.PeerMaxTokenLength;

    public override LaneChannel Open() => channel;

    protected override string Scheme => channel.Scheme;

    public override void ThrowIfTooLarge(long size)
    {
        if (size > channel.MaxSendSize) { throw new ArgumentException(channel.DescribeTooLarge(size)); }
    }

    // A small request fits, whatever the peer's CSM says.
    protected override bool TryGetLimits(CoapRequest request, in OptionSet options, out MessageLimits limits)
    {
        if (channel.Limits is { } known)
        {
            limits = known;
            return true;
        }
        limits = channel.KnownLimits;       // the CSM may arrive during this call, so both sides of the comparison are of one time
        return request.Body is null && MessageLimits.SizeOf(options, request.Payload.Length, isReliable: true) <= limits.MaxSize;
    }

    // A blocking connection may block in writes, so only a caller that parks may run the call on its own thread.
    public override void Post(LaneWork call, bool parked)
    {
        if (parked || !channel.IsBlocking) { Lane.PostRequest(call); }
        else { Lane.Post(call); }
    }
}
