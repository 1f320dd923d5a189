namespace CoAP.TestSupport;

/// <summary>The way that a datagram takes on a <see cref="Wire"/>.</summary>
public enum Direction
{
    ToServer,
    ToClient,
}

/// <summary>A datagram as it was sent, whatever became of it.</summary>
public readonly record struct SentDatagram(TimeSpan Time, PeerIdentity From, PeerIdentity To, byte[] Bytes, int Copies);

/// <summary>
/// A network between one server and its clients that is late, loses, repeats and reorders: as told for single datagrams, or by chance. The
/// same seed gives the same run.
/// </summary>
public sealed class Wire
{
    private const int MaxTurns = 1_000_000;

    private static readonly TimeSpan ScriptPatience = TimeSpan.FromMinutes(10);

    private readonly Lock _lock = new();
    private readonly Random _random;
    private readonly List<SentDatagram>[] _sent = [[], []];
    private readonly Dictionary<(Direction, int Nth), IReadOnlyList<TimeSpan>> _told = [];
    private readonly List<IWireEnd> _ends = [];

    public Wire(ManualClock time, int seed = 1)
    {
        (Time, Seed, _random) = (time, seed, new Random(seed));
        Network = new InMemoryNetwork(time) { Deliver = Decide };
        Stage = new ScriptStage(time, condition => RunUntil(condition, ScriptPatience), RunFor, Describe);
    }

    public ManualClock Time { get; }

    public int Seed { get; }

    public InMemoryNetwork Network { get; }

    /// <summary>This wire for scripted peers.</summary>
    internal ScriptStage Stage { get; }

    public PeerIdentity Server { get; init; } = PeerIdentity.From("server");

    public TimeSpan Latency { get; init; }

    /// <summary>The most that chance adds to the latency; datagrams overtake each other by it.</summary>
    public TimeSpan Jitter { get; init; }

    /// <summary>The share of datagrams that are lost, 0 to 1.</summary>
    public double Loss { get; init; }

    /// <summary>The share of datagrams that arrive twice, 0 to 1.</summary>
    public double Duplication { get; init; }

    public IReadOnlyList<SentDatagram> Sent(Direction direction)
    {
        lock (_lock) { return [.. _sent[(int)direction]]; }
    }

    /// <summary>Loses the nth datagram of a direction, counted from 1.</summary>
    public void Drop(Direction direction, int nth) => _told[(direction, nth)] = [];

    /// <summary>Delivers the nth datagram twice at the same time.</summary>
    public void Duplicate(Direction direction, int nth) => _told[(direction, nth)] = [Latency, Latency];

    /// <summary>Delivers the nth datagram later than the others.</summary>
    public void Delay(Direction direction, int nth, TimeSpan extra) => _told[(direction, nth)] = [Latency + extra];

    /// <summary>Names what has to run for datagrams to be handled.</summary>
    public void Attach(IWireEnd end) => _ends.Add(end);

    /// <summary>Runs what is attached and jumps from one deadline to the next, until there is none before the limit (an hour where none is said).</summary>
    public void RunUntilIdle(TimeSpan? limit = null) => RunUntil(static () => false, limit);

    /// <summary>The same, and ends exactly at that time.</summary>
    public void RunFor(TimeSpan time)
    {
        var end = Time.Elapsed + time;
        RunUntil(static () => false, time);
        Time.Advance(end - Time.Elapsed);
        RunUntil(static () => false, TimeSpan.Zero);
    }

    /// <summary>The same, but ends as soon as the condition holds; whether it does.</summary>
    public bool RunUntil(Func<bool> isDone, TimeSpan? limit = null) => NoContext.Run(() =>
    {
        var end = Time.Elapsed + (limit ?? TimeSpan.FromHours(1));
        while (true)
        {
            RunEnds();
            if (isDone()) { return true; }
            var next = _ends.Select(one => one.NextDeadline).Append(Time.Elapsed + Time.UntilNextTimer).Min();
            if (next is null || next > end) { return false; }
            Time.Advance(next.Value > Time.Elapsed ? next.Value - Time.Elapsed : TimeSpan.Zero);
        }
    });

    private string Describe()
    {
        lock (_lock) { return string.Join('\n', _sent.SelectMany(static sent => sent).OrderBy(static sent => sent.Time).Select(Entry)); }

        static TranscriptEntry Entry(SentDatagram sent) => new(sent.Time, sent.From.ToString(), sent.To.ToString(), sent.Bytes, sent.Copies);
    }

    private void RunEnds()
    {
        for (var turns = 0; turns < MaxTurns; turns++)
        {
            var hasWorked = false;
            foreach (var end in _ends) { hasWorked |= end.Run(); }
            if (!hasWorked) { return; }
        }
        throw new InvalidOperationException($"The ends were still busy after {MaxTurns} turns at {Time.Elapsed}.");
    }

    private IReadOnlyList<TimeSpan> Decide(InMemoryDatagram datagram)
    {
        lock (_lock)
        {
            var direction = datagram.To == Server ? Direction.ToServer : Direction.ToClient;
            var sent = _sent[(int)direction];
            var copies = _told.GetValueOrDefault((direction, sent.Count + 1)) ?? Chance();
            sent.Add(new SentDatagram(Time.Elapsed, datagram.From, datagram.To, datagram.Bytes.ToArray(), copies.Count));
            return copies;
        }
    }

    private IReadOnlyList<TimeSpan> Chance()
    {
        // Always the same number of draws, so that one setting does not change what another one does.
        var (isLost, isDouble) = (_random.NextDouble() < Loss, _random.NextDouble() < Duplication);
        TimeSpan first = Latency + Jitter * _random.NextDouble(), second = Latency + Jitter * _random.NextDouble();
        return isLost ? [] : isDouble ? [first, second] : [first];
    }
}

/// <summary>Something at an end of a <see cref="Wire"/> that works when it is asked to, such as a lane without a thread.</summary>
public interface IWireEnd
{
    /// <summary>When it has to run again, counted like <see cref="ManualClock.Elapsed"/>; nothing where only a datagram can wake it.</summary>
    TimeSpan? NextDeadline { get; }

    /// <summary>Does what there is to do now; whether there was anything.</summary>
    bool Run();
}
