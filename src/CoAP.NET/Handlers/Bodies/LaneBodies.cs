using CoAP.Blockwise;
using CoAP.Channels;

namespace CoAP.Handlers;

/// <summary>The bodies that a lane collects and keeps, and the time at which it forgets them.</summary>
internal sealed class LaneBodies : ILaneDeadline
{
    private readonly LaneContext _lane;

    public LaneBodies(LaneContext lane)
    {
        _lane = lane;
        var settings = lane.Settings.Blockwise;
        var lifetime = settings.Lifetime ?? lane.Settings.Transmission.ExchangeLifetime;
        Limits = new BodyLimits(
            settings.MaxBodySize, settings.MaxBodiesPerPeer, settings.MaxTotalSize, lifetime.Ticks, BlockSize.AtMost(settings.PreferredBlockSize));
        var budget = new BodyBudget(Limits);
        (Received, Kept) = (new RequestBodies(Limits, budget), new ResponseBodies(Limits, budget));
    }

    public BodyLimits Limits { get; }

    /// <summary>What comes.</summary>
    public RequestBodies Received { get; }

    /// <summary>What goes.</summary>
    public ResponseBodies Kept { get; }

    public long Deadline { get; private set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    public void OnDeadline()
    {
        Received.Expire(_lane.Now);
        Kept.Expire(_lane.Now);
        Deadline = long.MaxValue;
        Watch();
    }

    /// <summary>After each change: the lane wakes when the next body is over.</summary>
    public void Watch()
    {
        var next = Math.Min(Received.NextDeadline, Kept.NextDeadline);
        if (next == Deadline) { return; }
        Deadline = next;
        _lane.Schedule(this);
    }

    /// <summary>Which body a request belongs to.</summary>
    public static BodyKey KeyOf(ReceivedRequest request) =>
        new(new BodyPeer(request.Key, request.Stream), request.Method, request.Options);

    /// <summary>Whether the handler can be asked again without harm, since the request says all (RFC 7252, section 5.8; RFC 8132, section 2).</summary>
    public static bool IsSafe(CoapCode method) => method == RequestCode.Get || method == RequestCode.Fetch;
}
