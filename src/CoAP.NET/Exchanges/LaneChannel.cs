using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>The state that a lane keeps about one association with one peer.</summary>
internal abstract class LaneChannel(ExchangeLane lane, ChannelKey key) : EchoMemory(lane, lane.Settings.EchoLifetime)
{
    public ExchangeLane Lane => lane;

    public ChannelKey Key => key;

    /// <summary>Runs the call again when <see cref="EchoMemory.Limits"/> are known, or fails it if the channel ends first.</summary>
    public virtual void AwaitLimits(ClientCall call) => call.Run();

    /// <summary>Sends the request of the exchange as soon as the limits of the channel allow it.</summary>
    public abstract void Submit(ClientExchange exchange);

    /// <summary>Sends a request without keeping state for it, or fails the request (RFC 8974, section 3.3).</summary>
    public abstract void Send(UntrackedRequest request);

    /// <summary>The maximum number of outstanding requests (RFC 7252, section 4.7). Connections have no such limit.</summary>
    public virtual int NStart => int.MaxValue;

    /// <summary>Sets <see cref="NStart"/>. Does nothing on connections.</summary>
    public virtual void SetNStart(int nStart) { }

    /// <summary>Creates the retransmission timer of a confirmable message (RFC 7252, section 4.2).</summary>
    public virtual Retransmission StartTimer(TransmissionParameters parameters) =>
        throw new NotSupportedException("Messages on a reliable transport have no retransmission timer.");

    /// <summary>Measures the round-trip time with the timer of an acknowledged message.</summary>
    public virtual void Measure(in Retransmission timer) { }

    /// <summary>
    /// Calls <paramref name="done"/> when the bytes of a large message are no longer in use. Returns <see langword="false"/> if they are not in use.
    /// </summary>
    public virtual bool Defer(CoapMessage message, Action done) => false;

    /// <summary>
    /// Lets work for a peer wait for the turn of its account, so that it delays the others no more than its requests do. Returns
    /// <see langword="false"/> if the peer has no turns. Called on the lane.
    /// </summary>
    /// <param name="work">The work. It runs on the lane, also if the channel ends first.</param>
    /// <param name="bytes">The bytes that it copies.</param>
    public virtual bool TryQueueForTurn(LaneWork work, int bytes) => false;

    /// <summary>The number of bytes of a large message that the peer has accepted; <see langword="null"/> if all are sent or it is not large.</summary>
    public virtual long? SentOf(CoapMessage message) => null;

    /// <summary>Limits the time in which the peer may take the rest of a large message whose outcome is not awaited.</summary>
    public virtual void LimitSendTime(CoapMessage message) { }

    /// <summary>Takes a message ID for a message that is not a request. Reliable transports have no message IDs (RFC 8323, section 3.2).</summary>
    /// <param name="key">The receiver, and the local port from which the message is sent.</param>
    /// <param name="messageId">The ID.</param>
    public virtual bool TryNextMessageId(in ChannelKey key, out MessageId messageId)
    {
        messageId = default;
        return false;
    }

    /// <summary>Records that nothing more is expected for a message, so that the quarantine of its ID begins.</summary>
    public abstract void Settle(in ChannelKey key, MessageId messageId);

    /// <summary>Returns the local port from which a call or an observation that begins now sends all its messages.</summary>
    /// <param name="key">The peer, and the port that is preferred.</param>
    public virtual ChannelKey PlaceFor(in ChannelKey key) => key;

    /// <summary>Keeps a local port open, because a transfer or an observation stays at it.</summary>
    public virtual void Stay(in ChannelKey key) { }

    /// <summary>Ends <see cref="Stay"/>.</summary>
    public virtual void Leave(in ChannelKey key) { }

    /// <summary>The followers of the channel. The array is replaced on each change, so a follower can be removed while followers are called.</summary>
    public IChannelFollower[] Followers { get; private set; } = [];

    /// <summary>The connection, if the transport is reliable.</summary>
    public virtual IFrameLink? Link => null;

    /// <summary>The scheme of URIs with the transport and the security of the channel.</summary>
    public virtual string Scheme => SpanAttributes.SchemeOf(Key.Peer);

    /// <summary>Whether the channel is closed. Datagram channels never are.</summary>
    public virtual bool IsClosed => false;

    /// <summary>Whether new requests can be sent over the channel.</summary>
    public virtual bool IsUsable => true;

    /// <summary>
    /// Returns whether a message that can be sent later has to wait, because the peer does not read or its account has no room.
    /// If so, <see cref="IChannelFollower.OnRoom"/> is called when there is room.
    /// </summary>
    public virtual bool MustAwaitRoom() => false;

    /// <summary>Sends large responses of this turn, so that <see cref="MustAwaitRoom"/> knows whether the peer reads.</summary>
    public virtual void FlushMany() { }

    /// <summary>Returns the follower of a type, or <see langword="null"/> if there is none.</summary>
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

    /// <summary>Whether the channel can send no more requests. Datagram channels never end.</summary>
    public virtual bool HasEnded => false;

    /// <summary>Keeps the channel open even while no request is in progress.</summary>
    /// <param name="onEnded">Called on the lane when the channel has ended.</param>
    public virtual void AddUser(Action<Exception> onEnded) { }

    /// <summary>Removes a user that no longer needs the channel.</summary>
    public virtual void RemoveUser(Action<Exception> onEnded) { }

    /// <summary>Checks whether the peer is alive. The channel ends if it is not. Does nothing on datagram channels.</summary>
    public virtual void Probe() { }

    /// <summary>Releases what the channel holds for an exchange that has ended, and starts requests that waited for it.</summary>
    public abstract void Release(ClientExchange exchange);
}
