using CoAP.Exchanges;
using CoAP.Fuzzing.Engine;

namespace CoAP.Fuzzing.Parsers;

/// <summary>The files of observations, which somebody may have changed or cut off. The first byte selects the store.</summary>
internal sealed class StoreTarget() : FuzzTarget("stores")
{
    private readonly string _path = Path.Combine(Directory.CreateTempSubdirectory("coap-fuzz-").FullName, "store");

    public override IReadOnlyList<byte[]> Dictionary => Words.Lines;

    public override int LeastInputs => 300;

    public override void Run(FuzzInput input, Trace trace)
    {
        var bytes = input.Joined();
        if (bytes.Length == 0) { return; }
        File.WriteAllBytes(_path, bytes[1..]);
        if (bytes[0] % 2 == 0) { ReadObservers(trace, bytes.Length); }
        else { ReadSubscriptions(trace, bytes.Length); }
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
        FuzzFailure.ThrowIf(!again.Select(Text).SequenceEqual(entries.Select(Text)), $"{string.Join("; ", entries.Select(Text))} reads again as {string.Join("; ", again.Select(Text))}");
    }

    private void ReadSubscriptions(Trace trace, int length)
    {
        var store = Memory.Bounded(() => new FileSubscriptionStore(_path), length, perByte: 256, fixedSum: 64 << 10);
        var entries = store.List();
        trace.AddSize("subscriptions", entries.Count);
        foreach (var one in entries)
        {
            trace.Add("method", one.Method.Value);
            // What a client does with the entry after a restart.
            RequestTarget.OfOne(CoapObservation.Validate(one.ToRequest()));
        }
        if (entries.Count == 0) { return; }
        File.Delete(_path);
        var copy = new FileSubscriptionStore(_path);
        foreach (var one in entries.Take(4)) { copy.Save(one); }
        var again = new FileSubscriptionStore(_path).List();
        FuzzFailure.ThrowIf(!again.Select(Text).SequenceEqual(entries.Take(4).Select(Text)), $"{string.Join("; ", entries.Select(Text))} reads again as {string.Join("; ", again.Select(Text))}");
    }

    private static string Text(StoredObserver one) => $"{one.Peer} {one.Local} {one.Token} {one.SequenceLimit} {Convert.ToHexString(one.Request.Span)}";

    private static string Text(StoredSubscription one) =>
        $"{one.Uri} {one.Method} {one.Token} {one.IsConfirmable} {Convert.ToHexString(one.Options.Wire.Span)} {Convert.ToHexString(one.Payload.Span)}";
}
