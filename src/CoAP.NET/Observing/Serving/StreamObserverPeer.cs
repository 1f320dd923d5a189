using CoAP.Exchanges;

namespace CoAP.Observing;

/// <summary>A client on a connection, which is told only as fast as it reads, and no longer than it is connected (RFC 8323, section 7).</summary>
internal sealed class StreamObserverPeer(ObserverRegistry registry, LaneChannel connection) : ObserverPeer(registry, connection.Key), IChannelFollower
{
    public LaneChannel Connection => connection;

    /// <summary>Sends for the observation now, or what is newest when the connection has room.</summary>
    public void Offer(StreamObservation observation)
    {
        Enqueue(observation);
        OnRoom();
    }

    public void OnRoom()
    {
        while (!IsGone && !connection.IsBackedUp && TryPeek(out var next))
        {
            Dequeue();
            ((StreamObservation)next).Transmit();
        }
    }

    public void OnEnded() => RemoveAll();

    public override void Forget() => connection.Unfollow(this);
}
