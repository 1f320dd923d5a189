using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>An observation over a connection. It needs no acknowledgements (RFC 8323, section 7).</summary>
internal sealed class StreamObservation(ObservingLane observing, StreamObserverPeer peer, IncomingRequest request)
    : Observation(observing, peer, request)
{
    public override void Offer()
    {
        if (IsEnded) { return; }
        if (Ending is not null) { Transmit(); }
        else { peer.Offer(this); }
    }

    public void Transmit() => Emit(Ending ?? Representation.Current!);

    public override void Send(CoapResponse response)
    {
        if (IsEnded) { return; }
        // A stage has held it, and those that came in between have used up the room. The newest state follows when there is room.
        if (response.IsSuccess && peer.MustWait(this)) { return; }
        SentNumber = Representation.Number;
        if (!response.IsSuccess) { Revoke(); }
        if (peer.Connection.IsClosed) { return; }
        Lane.Metrics[LaneCounters.Notifications]++;
        Observing.Notifications.Emit(new OutgoingMessage(peer.Key, Compose(response, default, default)) { Link = peer.Connection.Link });
        peer.Connection.FlushMany();
    }
}
