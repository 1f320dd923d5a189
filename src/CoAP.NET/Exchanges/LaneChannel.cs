using CoAP.Blockwise;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Stateless;

namespace CoAP.Exchanges;

/// <summary>One association with one peer, as its lane keeps it.</summary>
internal abstract class LaneChannel(LaneContext lane, ChannelKey key)
{
    private Echo? _echo;
    private long _echoUntil;

    public LaneContext Lane => lane;

    public ChannelKey Key => key;

    /// <summary>The Echo value that the peer sent last, as long as it goes along with requests to it (RFC 9175, section 2.3).</summary>
    public Echo? Echo => _echo is not null && lane.Now < _echoUntil ? _echo : null;

    /// <summary>Keeps the Echo value of a response for the requests that follow.</summary>
    public void Remember(Echo echo) => (_echo, _echoUntil) = (echo, lane.Now + lane.Settings.Freshness.EchoMemory.Ticks);

    /// <summary>What it takes, as far as that is known.</summary>
    public abstract MessageLimits? Limits { get; }

    /// <summary>Runs the call again when <see cref="Limits"/> are known, or fails it.</summary>
    public virtual void AwaitLimits(ClientCall call) => call.Run();

    /// <summary>Sends the request of the exchange now or as soon as the peer's limits allow it.</summary>
    public abstract void Submit(ClientExchange exchange);

    /// <summary>Sends a request of which nothing is kept, or fails it (RFC 8974, section 3.3).</summary>
    public abstract void SendStateless(StatelessRequest request);

    /// <summary>A message ID for a message of ours that is no request; reliable transports have none (RFC 8323, section 3.2).</summary>
    public virtual bool TryNextMessageId(out MessageId messageId)
    {
        messageId = default;
        return false;
    }

    /// <summary>Nothing comes back for this message any more: its ID may rest.</summary>
    public abstract void Settle(MessageId messageId);

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
