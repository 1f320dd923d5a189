namespace CoAP.Measurements.Profiles;

/// <summary>Samples of a running server, folded into shares of the request path.</summary>
internal sealed class FoldedProfile
{
    private readonly Dictionary<Share, long> _samples = [];

    public long Total { get; private set; }

    /// <summary>The same samples by thread.</summary>
    public ThreadShares ByThread { get; } = new();

    /// <summary>The parts with their details, the largest first.</summary>
    public IEnumerable<(string Part, double Percent, IEnumerable<(string Detail, double Percent)> Details)> Parts =>
        from one in _samples
        group one by one.Key.Part into part
        let count = part.Sum(static one => one.Value)
        orderby count descending
        select (part.Key, Percent(count), part.Where(static one => one.Key.Detail.Length > 0).OrderByDescending(static one => one.Value).Select(one => (one.Key.Detail, Percent(one.Value))));

    /// <summary>Reads what "perf script -F comm,ip,sym,dso" prints: a line with the thread's name, its frames, an empty line.</summary>
    public static FoldedProfile Read(TextReader script)
    {
        var profile = new FoldedProfile();
        string? thread = null;
        var stack = new List<FrameName>();
        while (script.ReadLine() is { } line)
        {
            if (line.Length == 0)
            {
                profile.Add(thread, stack);
                (thread, stack) = (null, []);
            }
            else if (!char.IsWhiteSpace(line[0])) { thread = line.Trim(); }
            else if (FrameName.Parse(line) is { } frame) { stack.Add(frame); }
        }
        profile.Add(thread, stack);
        return profile;
    }

    private void Add(string? thread, List<FrameName> stack)
    {
        if (thread is null) { return; }
        ByThread.Add(thread, stack);
        var share = RequestPath.Of(thread, stack);
        _samples[share] = _samples.GetValueOrDefault(share) + 1;
        Total++;
    }

    private double Percent(long count) => 100.0 * count / Total;
}
