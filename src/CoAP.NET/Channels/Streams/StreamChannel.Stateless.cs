using CoAP.Signaling;

namespace CoAP.Channels;

/// <content>Requests of which nothing is kept (RFC 8974, section 3).</content>
internal sealed partial class StreamChannel
{
    public PendingResponse SendStateless(CoapRequest request, StatelessTokens tokens, ReadOnlyMemory<byte> state, bool parked)
    {
        if (parked) { Lane.ThrowIfOwnedByCaller(); }
        var stateless = new StatelessRequest(Lane, Key, request, RequestOptions.Of(request, Key.Peer), tokens, state, parked, (_, _) => this);
        if (stateless.Size > _maxSendSize) { throw new ArgumentException(TooLarge(stateless.Size), nameof(request)); }
        Lane.Post(stateless);
        return stateless.Caller;
    }

    public override void SendStateless(StatelessRequest request)
    {
        if (_ended is { } reason) { request.Fail(EndedBy(reason, isUnsent: true)); }
        else if (_hasPeerEnded || !_signaling.MayStartRequests || _signaling.CanSend(request.Size) != SendVerdict.Now) { request.Fail(EndedBy(PeerEnded, isUnsent: true)); }
        else if (!HasRoomToSend(request.Size)) { request.Fail(NoRoom()); }
        else { request.Send(default, this); }
    }
}
