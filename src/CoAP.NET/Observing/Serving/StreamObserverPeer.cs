using CoAP.Exchanges;

namespace CoAP.Observing;

/// <summary>A client with observations over a connection. It gets notifications only as fast as it reads them (RFC 8323, section 7).</summary>
/// <remarks>
/// Notifications also wait while its account has no room for unsent bytes. A newer one replaces one that waits, so nothing is lost.
/// </remarks>
internal sealed class StreamObserverPeer(ObserverRegistry registry, ObservingLane observing, LaneChannel connection)
    : ObserverPeer<StreamObservation>(registry, observing, connection.Key), IChannelFollower
{
    public LaneChannel Connection => connection;

    /// <summary>Follows the connection and keeps it open, because a release of an idle connection would end the observations (RFC 8323, section 5.5).</summary>
    public void Join()
    {
        connection.Follow(this);
        connection.AddUser(OnEnded);
    }

    public override Observation Register(IncomingRequest request, Account account) => new StreamObservation(Observing, this, request) { Account = account };

    /// <summary>Sends the newest representation of an observation, now or when the connection has room.</summary>
    public void Offer(StreamObservation observation)
    {
        Enqueue(observation);
        OnRoom();
    }

    /// <summary>Puts an observation into the queue if the connection has no room now.</summary>
    public bool MustWait(StreamObservation observation)
    {
        if (IsGone || !connection.MustAwaitRoom()) { return false; }
        Enqueue(observation);
        return true;
    }

    public void OnRoom()
    {
        while (!IsGone && TryPeek(out var next) && !connection.MustAwaitRoom())
        {
            Dequeue();
            next.Transmit();
        }
    }

    public void OnEnded() => RemoveAll();

    public override void Forget()
    {
        connection.Unfollow(this);
        connection.RemoveUser(OnEnded);
    }

    private void OnEnded(Exception reason) => RemoveAll();
}
