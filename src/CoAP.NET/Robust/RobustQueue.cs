using CoAP.Blockwise;
using CoAP.Exchanges;

namespace CoAP.Robust;

/// <summary>The robust transfers with one peer. At most NSTART transfers run at a time; the others wait (RFC 7252, section 4.7).</summary>
internal sealed class RobustQueue(LaneChannel channel, RobustTransfers transfers) : IChannelFollower
{
    private Queue<RobustCall> _waiting = new();
    private int _over;      // the calls in the queue that have ended
    private RobustSupport _support;
    private BodyPause _pause;
    private uint _nextTag = (uint)channel.Lane.Random.NextInt64();

    /// <summary>The number of running transfers.</summary>
    public int Running { get; private set; }

    private ExchangeLane Lane => channel.Lane;

    public bool IsBusy => Running > 0;

    /// <summary>Returns the queue of the channel's peer.</summary>
    public static RobustQueue Of(LaneChannel channel, RobustTransfers transfers)
    {
        if (channel.FollowerOf<RobustQueue>() is { } known) { return known; }
        var queue = new RobustQueue(channel, transfers);
        channel.Follow(queue);
        return queue;
    }

    /// <summary>Whether the peer supports robust transfers; <see langword="null"/> if that is not known.</summary>
    public bool? IsSupported => _support.At(Lane.Now);

    /// <summary>The earliest time at which a body may begin (RFC 9177, section 7.2).</summary>
    public long StartAt => _pause.StartAt(Lane.Now);

    /// <summary>Starts a transfer, queues it, or refuses it if the queue is full.</summary>
    public void Enter(RobustCall call)
    {
        if (Running < channel.NStart)
        {
            Running++;
            call.Begin();
        }
        else if (_waiting.Count - _over < transfers.Exchanges.MaxQueuedRequests) { _waiting.Enqueue(call); }
        else
        {
            call.Fail(new CoapBusyException(
                $"{_waiting.Count - _over} robust transfers with {channel.Key.Peer} already wait because NSTART is {channel.NStart} (RFC 7252, section 4.7)."));
        }
    }

    /// <summary>Called when a waiting transfer has ended. It gives up its place; half of the queue at most consists of such transfers.</summary>
    public void Desert()
    {
        if (2 * ++_over <= _waiting.Count) { return; }
        (_waiting, _over) = (new(_waiting.Where(static one => !one.IsOver)), 0);
    }

    /// <summary>Removes a running transfer and starts the next one.</summary>
    public void Leave()
    {
        Running--;
        while (Running < channel.NStart && _waiting.TryDequeue(out var next))
        {
            if (next.IsOver)
            {
                _over--;
                continue;
            }
            Running++;
            next.Begin();
        }
    }

    /// <summary>Updates <see cref="IsSupported"/> from a response.</summary>
    public void Learn(CoapMessage response) => _support.OnAnswer(response, transfers.Settings, Lane.Now);

    /// <summary>Updates <see cref="IsSupported"/> because the peer sent a Reset, nothing, or a response that shows no support.</summary>
    public void LearnNoSupport() => _support.OnNoAnswer(transfers.Settings, Lane.Now);

    /// <summary>Counts a body against PROBING_RATE.</summary>
    public void Charge(long length, double probingRate) => _pause.Begin(length, probingRate, transfers.Settings, Lane.Now);

    /// <summary>Allows the next body because the peer has sent a message.</summary>
    public void OnHeard() => _pause.Heard();

    /// <summary>Returns a Request-Tag that is unique among the bodies to this peer (RFC 9177, section 4.3).</summary>
    public byte[] NextTag() => BitConverter.GetBytes(_nextTag++);
}
