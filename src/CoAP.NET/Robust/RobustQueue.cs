using CoAP.Blockwise;
using CoAP.Exchanges;

namespace CoAP.Robust;

/// <summary>The robust transfers with one peer. NSTART of them run at a time and the others wait (RFC 7252, section 4.7).</summary>
internal sealed class RobustQueue(LaneChannel channel, RobustTransferSettings settings) : IChannelFeature
{
    private readonly Queue<RobustCall> _waiting = new();
    private RobustSupport _support;
    private BodyPause _pause;
    private uint _nextTag = (uint)channel.Lane.Random.NextInt64();

    /// <summary>The transfers that are under way.</summary>
    public int Running { get; private set; }

    private ExchangeLane Lane => channel.Lane;

    public bool IsBusy => Running > 0;

    /// <summary>Returns the queue of the channel's peer.</summary>
    public static RobustQueue Of(LaneChannel channel, RobustTransferSettings settings)
    {
        if (channel.Feature is RobustQueue known) { return known; }
        var queue = new RobustQueue(channel, settings);
        channel.Feature = queue;
        return queue;
    }

    /// <summary>Whether the peer supports robust transfers; <see langword="null"/> if that is not known.</summary>
    public bool? IsSupported => _support.At(Lane.Now);

    /// <summary>When a body may begin (RFC 9177, section 7.2).</summary>
    public long StartAt => _pause.StartAt(Lane.Now);

    /// <summary>Starts the transfer when it is its turn.</summary>
    public void Enter(RobustCall call)
    {
        if (Running < channel.NStart)
        {
            Running++;
            call.Begin();
        }
        else if (_waiting.Count < Lane.Settings.MaxQueuedRequests) { _waiting.Enqueue(call); }
        else
        {
            call.Refuse(new CoapBusyException(
                $"{_waiting.Count} robust transfers with {channel.Key.Peer} wait already behind NSTART {channel.NStart} (RFC 7252, section 4.7)."));
        }
    }

    /// <summary>A transfer has ended that had begun.</summary>
    public void Leave()
    {
        Running--;
        while (Running < channel.NStart && _waiting.TryDequeue(out var next))
        {
            if (next.IsOver) { continue; }
            Running++;
            next.Begin();
        }
    }

    public void Learn(CoapMessage response) => _support.OnAnswer(response, settings, Lane.Now);

    public void LearnNothingCame() => _support.OnNoAnswer(settings, Lane.Now);

    /// <summary>A body begins.</summary>
    public void Charge(long length, double probingRate) => _pause.Begin(length, probingRate, settings, Lane.Now);

    /// <summary>The peer has sent something.</summary>
    public void Heard() => _pause.Heard();

    /// <summary>A Request-Tag that no other body to this peer has (RFC 9177, section 4.3).</summary>
    public byte[] NextTag() => BitConverter.GetBytes(_nextTag++);
}
