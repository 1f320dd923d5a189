using System.Text;
using CoAP.Exchanges;
using CoAP.Fuzzing.Engine;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Parsers;

/// <summary>
/// The files of observations, which somebody may have changed or cut off. Each step is a line: the rest of the step as text where bit 7 of its first
/// byte is set, otherwise a datagram in the line of a subscription or, with bit 0, of an observer. Bits 1 to 3 select the other fields.
/// </summary>
internal sealed class StoreTarget() : FuzzTarget("stores")
{
    private static readonly string[] Uris = ["coap://host/temperature", "coap+tcp://[::1]/a?b", "coap://224.0.1.187/", "coap://[fe80::1%25eth0]:1/", "nowhere", "", "coaps+ws://h/%C3%A9", "coap://h/a b"];
    private static readonly string[] Peers = ["127.0.0.1:4711", "[::1]:5683", "name:636c69656e74", "-", "name:", "[fe80::1%2]:1", "192.0.2.1", "[::ffff:192.0.2.1]:99999"];

    private readonly string _path = Path.Combine(Directory.CreateTempSubdirectory("coap-fuzz-").FullName, "store");

    public override IReadOnlyList<byte[]> Dictionary { get; } = [.. Words.Messages, .. Words.Lines];

    public override int LeastInputs => 300;

    public override void Run(FuzzInput input, Trace trace)
    {
        var bytes = input.Steps.SelectMany(step => (byte[])[.. Line(step), (byte)'\n']).ToArray();
        File.WriteAllBytes(_path, bytes);
        ReadObservers(trace, bytes.Length);
        File.WriteAllBytes(_path, bytes);
        ReadSubscriptions(trace, bytes.Length);
    }

    private static byte[] Line(byte[] step)
    {
        if (step.Length < 2 || (step[0] & 0x80) != 0) { return step.Length == 0 ? [] : step[1..]; }
        var (hex, which) = (Hex.Text(step.AsSpan(1)), (step[0] >> 1) & 7);
        var token = hex[..Math.Min(hex.Length, 4)];
        return Encoding.UTF8.GetBytes((step[0] & 1) == 0 ? $"{hex} {Uris[which]}" : $"{Peers[which]} {Peers[step[1] & 7]} [{token}] {step[^1]:D19} {hex}");
    }

    private void ReadObservers(Trace trace, int length)
    {
        var store = Memory.Bounded(() => new FileObserverStore(_path), length, perByte: 64, fixedSum: 64 << 10);
        var entries = store.List();
        trace.AddSize("observers", entries.Count);
        foreach (var one in entries) { trace.Add("peer", (one.Peer.IsNone ? 0 : one.Peer.IsIP ? 1 : 2) + (one.Local.IsNone ? 0 : one.Local.IsIP ? 4 : 8)); }
        if (entries.Count == 0) { return; }
        File.Delete(_path);
        var copy = new FileObserverStore(_path);
        foreach (var one in entries) { copy.Save(one); }
        copy.Flush();
        var again = new FileObserverStore(_path).List();
        FuzzFailure.ThrowIf(!again.Select(Text).SequenceEqual(entries.Select(Text)), $"observers read again as others: {string.Join("; ", entries.Select(Text))} as {string.Join("; ", again.Select(Text))}");
    }

    private void ReadSubscriptions(Trace trace, int length)
    {
        var store = Memory.Bounded(() => new FileSubscriptionStore(_path), length, perByte: 256, fixedSum: 64 << 10);
        var entries = store.List();
        trace.AddSize("subscriptions", entries.Count);
        foreach (var one in entries)
        {
            trace.Add("method", one.Method.Value);
            trace.AddSize("options", one.Options.Count);
            // What a client does with the entry after a restart.
            RequestTarget.OfOne(CoapObservation.Validate(one.ToRequest()));
        }
        if (entries.Count == 0) { return; }
        File.Delete(_path);
        var copy = new FileSubscriptionStore(_path);
        foreach (var one in entries.Take(4)) { copy.Save(one); }
        copy.Flush();
        var again = new FileSubscriptionStore(_path).List();
        FuzzFailure.ThrowIf(!again.Select(Text).SequenceEqual(entries.Take(4).Select(Text)), $"subscriptions read again as others: {string.Join("; ", entries.Select(Text))} as {string.Join("; ", again.Select(Text))}");
    }

    private static string Text(StoredObserver one) => $"{one.Peer} {one.Local} {one.Token} {one.SequenceLimit} {Convert.ToHexString(one.Request.Span)}";

    private static string Text(StoredSubscription one) =>
        $"{one.Uri} {one.Method} {one.Token} {one.IsConfirmable} {Convert.ToHexString(one.Options.Wire.Span)} {Convert.ToHexString(one.Payload.Span)}";
}
