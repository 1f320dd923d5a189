namespace CoAP.Testing;

/// <summary>Decides what happens to each datagram and writes the transcript.</summary>
internal sealed class LinkTable(ManualClock clock, SimulationScheduler scheduler, int seed)
{
    private readonly Lock _gate = new();
    private readonly Random _random = new(seed ^ 0x5eed);
    private readonly Dictionary<(string From, string To), LinkConditions> _links = [];
    private readonly HashSet<(string From, string To)> _partitions = [];
    private readonly List<Dropped> _drops = [];
    private long _sent, _lost, _repeated;

    public LinkConditions Default { get; set; } = new();

    public NetworkTranscript Transcript { get; } = new();

    public NetworkCounters Counters
    {
        get { lock (_gate) { return new(_sent, _lost, _repeated); } }
    }

    public void Set(string from, string to, LinkConditions? conditions)
    {
        lock (_gate)
        {
            if (conditions is null) { _links.Remove((from, to)); }
            else { _links[(from, to)] = conditions; }
        }
    }

    public void Partition(string first, string second)
    {
        lock (_gate)
        {
            _partitions.Add((first, second));
            _partitions.Add((second, first));
        }
    }

    public void Heal(string first, string second)
    {
        lock (_gate)
        {
            _partitions.Remove((first, second));
            _partitions.Remove((second, first));
        }
    }

    public void Heal()
    {
        lock (_gate) { _partitions.Clear(); }
    }

    public void Drop(string from, string to, int nth)
    {
        lock (_gate) { _drops.Add(new Dropped(from, to, nth)); }
    }

    /// <summary>Returns one delay for each copy that arrives.</summary>
    public IReadOnlyList<TimeSpan> Deliver(InMemoryDatagram datagram)
    {
        var (from, to) = (datagram.From.ToString(), datagram.To.ToString());
        lock (_gate)
        {
            var delays = DelaysOf(from, to);
            _sent++;
            if (delays.Length == 0) { _lost++; }
            if (delays.Length > 1) { _repeated++; }
            foreach (var delay in delays) { scheduler.BusyUntil(clock.Elapsed + delay); }
            Transcript.Add(new TranscriptEntry(clock.Elapsed, from, to, datagram.Bytes, delays.Length));
            return delays;
        }
    }

    /// <summary>Returns the name of a host; an end of a connection has a number after it.</summary>
    public static string HostOf(in PeerIdentity peer) => peer.ToString() is var name && name.IndexOf(':', StringComparison.Ordinal) is var end and > 0 ? name[..end] : peer.ToString();

    /// <summary>Returns the time that the bytes of a connection take.</summary>
    public TimeSpan LatencyOf(PeerIdentity from, PeerIdentity to)
    {
        var link = (HostOf(from), HostOf(to));
        lock (_gate)
        {
            var latency = _partitions.Contains(link) ? Timeout.InfiniteTimeSpan : _links.GetValueOrDefault(link, Default).Latency;
            if (latency > TimeSpan.Zero) { scheduler.BusyUntil(clock.Elapsed + latency); }
            return latency;
        }
    }

    private TimeSpan[] DelaysOf(string from, string to)
    {
        var conditions = _links.GetValueOrDefault((from, to), Default);
        // Each datagram takes the same random numbers, so that one more loss does not change what happens to all others.
        var (loss, repeat) = (_random.NextDouble(), _random.NextDouble());
        var (first, second) = (Delay(conditions), Delay(conditions));
        if (IsDropped(from, to) || _partitions.Contains((from, to)) || loss < conditions.Loss) { return []; }
        return repeat < conditions.Duplication ? [first, second] : [first];
    }

    private TimeSpan Delay(LinkConditions conditions) => conditions.Latency + TimeSpan.FromTicks((long)(conditions.Jitter.Ticks * _random.NextDouble()));

    private bool IsDropped(string from, string to)
    {
        var isDropped = false;
        foreach (var drop in _drops.Where(drop => drop.From == from && drop.To == to)) { isDropped |= --drop.Left == 0; }
        _drops.RemoveAll(static drop => drop.Left <= 0);
        return isDropped;
    }

    private sealed class Dropped(string from, string to, int left)
    {
        public string From => from;

        public string To => to;

        public int Left { get; set; } = left;
    }
}
