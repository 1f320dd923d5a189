namespace CoAP.Benchmarks.Load;

/// <summary>Verified addresses that send a POST before a flood from forged addresses, and the same datagram again after it. It must not run twice.</summary>
internal static class RepeatedRequests
{
    private const int Addresses = 16;

    public static Sent Run(Target target, TimeSpan time)
    {
        var port = target.PortOf("udp");
        var sources = Enumerable.Range(0, Addresses).Select(number => new VerifiedSource(port, number)).ToArray();
        foreach (var source in sources) { source.Prepare(AttackRequests.Counted); }
        var before = sources.Select(static source => source.Ask(again: false)).ToArray();
        using var forged = new ForgedSource(port);
        var sent = forged.Flood(AttackRequests.Counted.ToDatagram(), target.RateOf(target.FloodRate), time, Numberings.Tokens);
        var after = sources.Select(static source => source.Ask(again: true)).ToArray();
        foreach (var source in sources) { source.Dispose(); }
        var pairs = before.Zip(after).Where(static pair => pair is { First: not null, Second: not null }).ToArray();
        return sent with { Remark = $"{pairs.Count(static pair => !pair.First.AsSpan().SequenceEqual(pair.Second))} of {pairs.Length} repeated POSTs ran twice" };
    }
}
