namespace CoAP.Benchmarks.Load;

/// <summary>The number of messages or connections that an attacker sent, and a remark on what it got.</summary>
internal sealed record Sent(long Count, string Remark = "")
{
    /// <summary>What several attackers sent.</summary>
    public static Sent Sum(IEnumerable<Sent> all) => all.Aggregate(static (one, other) =>
        new(one.Count + other.Count, string.Join("; ", new[] { one.Remark, other.Remark }.Where(static remark => remark.Length > 0))));

    public override string ToString() => $"{Count} {Remark}";

    /// <summary>Reads what <see cref="ToString"/> wrote. Anything else is the error of an attacker that failed.</summary>
    public static Sent Parse(string text) => text.Split(' ', 2) is [var count, var remark] && long.TryParse(count, CultureInfo.InvariantCulture, out var number)
        ? new(number, remark)
        : new(0, text);
}
