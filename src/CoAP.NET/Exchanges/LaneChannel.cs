using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>One association with one peer, as its lane keeps it.</summary>
internal abstract class LaneChannel(ExchangeLane lane, ChannelKey key)
{
    private Echo? _echo;
    private long _echoUntil;

    public ExchangeLane Lane => lane;

    public ChannelKey Key => key;

    /// <summary>The Echo value that the peer sent last, as long as it goes along with requests to it (RFC 9175, section 2.3).</summary>
    public Echo? Echo => _echo is not null && lane.Now < _echoUntil ? _echo : null;

    /// <summary>Keeps the Echo value of a response for the requests that follow.</summary>
    public void Remember(Echo echo) => (_echo, _echoUntil) = (echo, lane.Now + lane.Settings.EchoMemory.Ticks);

    /// <summary>What it takes, as far as that is known.</summary>
    public abstract MessageLimits? Limits { get; }

    /// <summary>Runs the call again when <see cref="Limits"/> are known, or fails it.</summary>
    public virtual void AwaitLimits(ClientCall call) => call.Run();

    /// <summary>Sends the request of the exchange now or as soon as the peer's limits allow it.</summary>
    public abstract void Submit(ClientExchange exchange);

    /// <summary>Sends a request of which nothing is kept, or fails it (RFC 8974, section 3.3).</summary>
    public abstract void Send(UntrackedRequest request);

    /// <summary>What a feature keeps about the peer.</summary>
    public IChannelFeature? Feature { get; set; }

    /// <summary>The requests that may be outstanding at the same time (RFC 7252, section 4.7); connections have no such limit.</summary>
    public virtual int NStart => int.MaxValue;

    /// <summary>Sets <see cref="NStart"/>. Connections ignore it.</summary>
    public virtual void SetNStart(int nStart)
    {
    }

    /// <summary>Starts the retransmission timer of a confirmable message (RFC 7252, section 4.2).</summary>
    public virtual Retransmission StartTimer(TransmissionParameters parameters) => throw new NotSupportedException("A reliable transport retransmits by itself.");

    /// <summary>Learns the round-trip time from a message that was acknowledged.</summary>
    public virtual void Measure(in Retransmission timer)
    {
    }

    /// <summary>Calls <paramref name="done"/> when the bytes of a large message are no longer needed; returns <see langword="false"/> if they are not needed now.</summary>
    public virtual bool Defer(CoapMessage message, Action done) => false;

    /// <summary>Gives up a large message soon, if the peer does not take it.</summary>
    public virtual void Hurry(CoapMessage message)
    {
    }

    /// <summary>A message ID for a message of ours that is no request; reliable transports have none (RFC 8323, section 3.2).</summary>
    public virtual bool TryNextMessageId(out MessageId messageId)
    {
        messageId = default;
        return false;
    }

    /// <summary>Nothing comes back for this message any more: its ID may rest.</summary>
    public abstract void Settle(MessageId messageId);

    /// <summary>The parts of the endpoint that want to know how the channel is. Replaced as a whole, so that one may leave while it is called.</summary>
    public IChannelFollower[] Followers { get; private set; } = [];

    /// <summary>The connection, if the transport is reliable.</summary>
    public virtual IFrameLink? Link => null;

    /// <summary>Whether the channel is closed. Datagram channels never are.</summary>
    public virtual bool IsClosed => false;

    /// <summary>Whether new requests may be sent over the channel.</summary>
    public virtual bool IsUsable => true;

    /// <summary>Whether the transport holds bytes until the peer makes room.</summary>
    public virtual bool IsBackedUp => false;

    /// <summary>Whether the peer can do block-wise transfers (RFC 8323, section 5.3.2).</summary>
    public virtual bool PeerSupportsBlockWise => true;

    /// <summary>Returns the follower of a type, of which there is one at most.</summary>
    public T? FollowerOf<T>() where T : class, IChannelFollower
    {
        foreach (var follower in Followers)
        {
            if (follower is T found) { return found; }
        }
        return null;
    }

    public void Follow(IChannelFollower follower) => Followers = [.. Followers, follower];

    public void Unfollow(IChannelFollower follower) => Followers = [.. Followers.Where(other => other != follower)];

    /// <summary>Whether nothing can be sent any more; datagram channels never end.</summary>
    public virtual bool HasEnded => false;

    /// <summary>Keeps the channel open and is told its end.</summary>
    public virtual void Hold(IChannelGuest guest)
    {
    }

    /// <summary>Needs the channel no more.</summary>
    public virtual void LetGo(IChannelGuest guest)
    {
    }

    /// <summary>Asks the peer whether it is there; if not, the channel ends. Where channels never end, nobody is asked.</summary>
    public virtual void Probe()
    {
    }

    /// <summary>The exchange has ended: whatever waits for it or because of it goes on.</summary>
    public abstract void Release(ClientExchange exchange);
}
