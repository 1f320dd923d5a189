using System.Net;
using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;
using CoAP.Fuzzing.Parsers;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>A server that starts with stored observations that somebody may have changed. Each step is a client and a number, a wait, and a request.</summary>
internal sealed class RestoredTarget() : FuzzTarget("restored")
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    private static readonly TimeSpan Silence = TimeSpan.FromHours(1);

    private static readonly PeerIdentity[] Peers =
        [PeerIdentity.From("peer"), PeerIdentity.From("another"), PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 5683)), PeerIdentity.From(new IPEndPoint(IPAddress.Broadcast, 0))];

    private static readonly long[] Numbers = [0, 1, (1 << 23) - 1, 1 << 24, int.MaxValue, long.MaxValue - 1, long.MaxValue, -1];

    public override IReadOnlyList<byte[]> Dictionary => Words.Messages;

    public override int LeastInputs => 30;

    public override void Run(FuzzInput input, Trace trace)
    {
        var wire = new Wire(new ManualClock());
        var map = new ServedMap(wire.Time);
        var store = new InMemoryObserverStore();
        foreach (var step in input.Steps) { store.Save(SavedBy(step, wire.Server)); }
        using var server = LaneEnd.Server(wire, map.Map, new CoapServerSettings { ServerObservations = new() { Store = store } });
        using var peer = ScriptedPeer.Client(wire, "peer");
        foreach (var (saved, step) in store.List().Zip(input.Steps))
        {
            server.Mesh.Observers.Restore(saved, credentials: null);
            peer.TakeAll(Steps.Wait(step).TotalSeconds);
            trace.AddSize("observations", server.Lane.Metrics[Lanes.LaneCounters.ActiveObservations]);
        }
        map.NotifyChanged();
        wire.RunFor(Silence);
        peer.TakeAll(0);
        foreach (var bytes in peer.Received)
        {
            var message = DatagramOracle.Read(bytes) ?? throw new FuzzFailure($"the server sent {Hex.Text(bytes)}, which is no message");
            trace.Add("sent", (message.Type << 8) | message.Code);
        }
        IdleEnd.TraceCounters(server.Lane, trace);
        IdleEnd.CheckLog(server.Log);
        FuzzFailure.ThrowIf(server.Leftovers != Nothing, $"the idle server has {server.Leftovers}");
        IdleEnd.CheckLedger(server.Lane.Ledger);
    }

    private static StoredObserver SavedBy(byte[] step, PeerIdentity local)
    {
        var (kind, request) = (Steps.Kind(step), Steps.Message(step));
        // Bit 7: the stored token is another one than that of the request.
        var token = (kind & 0x80) == 0 && DatagramOracle.Read(request) is { } message ? Convert.FromHexString(message.Token) : [1];
        return new StoredObserver { Peer = Peers[kind & 3], Local = local, Token = new Token(token), Request = request, SequenceLimit = Numbers[(kind >> 2) & 7] };
    }
}
