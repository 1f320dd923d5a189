using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Parsers;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>
/// A server over connections, and clients that break rules. Each step is a kind, a wait and bytes. Kind: bit 0 opens another connection, 1 ends
/// sending, 2 closes, 3 ceases to read or begins again, 5 changes the observed state, 7 says that the bytes are a datagram to be framed for a stream.
/// </summary>
internal sealed class StreamServerTarget() : FuzzTarget("stream-server")
{
    private const string Nothing = "0 exchanges, 0 pending requests, 0 bytes in flight";
    private const int MaxConnections = 8;

    private static readonly TimeSpan Silence = TimeSpan.FromHours(1);

    public override IReadOnlyList<byte[]> Dictionary => Words.Messages;

    public override int LeastInputs => 30;

    public override int MaxLength => 12_000;

    public override void Run(FuzzInput input, Trace trace)
    {
        var wire = new Wire(new ManualClock());
        var map = new ServedMap(wire.Time);
        var resources = new ResourceMap();
        map.Map(resources);
        ServedMap.MapStreamed(resources);
        using var server = new StreamLaneEnd(wire, Settings(), resources);
        List<ScriptedConnection> clients = [new ScriptedConnection(server.Accept("peer0"))];
        foreach (var step in input.Steps)
        {
            if ((Steps.Kind(step) & 1) != 0 && clients.Count < MaxConnections) { clients.Add(new ScriptedConnection(server.Accept($"peer{clients.Count}"))); }
            Play(step, clients[^1], map);
            wire.RunFor(Steps.Wait(step));
            foreach (var client in clients) { client.Receive(trace); }
            trace.AddSize("connections", server.Lane.ConnectionCount);
            trace.AddSize("in flight", server.BytesInFlight);
        }
        foreach (var client in clients) { End(wire, client, trace); }
        server.PeerConnection.Dispose();
        IdleEnd.Quieten(wire, Silence, server.Lane, () => server.Leftovers == Nothing, server.AwaitWork);
        clients.ForEach(client => client.Check());
        IdleEnd.TraceCounters(server.Lane, trace);
        CheckIdle(server);
        AskHonestly(wire, server, trace);
    }

    private static CoapServerSettings Settings() => new()
    {
        Stream = new StreamSettings { MaxMessageSize = 2000, AbortAboveSize = 6000, MaxUnreadSize = 4096, MaxRequestsInProgress = 4, MaxTokenLength = 16 },
        ServerTransfers = new() { MaxTotalSize = 100 << 10, StreamWindow = 1024, MaxBodySize = 30_000, MaxBodiesPerPeer = 4 },
    };

    private static void Play(byte[] step, ScriptedConnection client, ServedMap map)
    {
        var kind = Steps.Kind(step);
        if ((kind & 0x20) != 0) { map.NotifyChanged(); }
        if ((kind & 0x08) != 0) { client.IsDeaf = !client.IsDeaf; }
        var bytes = Steps.Message(step);
        client.Send((kind & 0x80) != 0 ? Reframing.ToStream(bytes) : bytes);
        if ((kind & 0x02) != 0) { client.EndSending(); }
        if ((kind & 0x04) != 0) { client.Dispose(); }
    }

    private static void End(Wire wire, ScriptedConnection client, Trace trace)
    {
        client.IsDeaf = false;
        for (var rounds = 0; rounds < 4; rounds++)
        {
            client.Receive(trace);
            wire.RunFor(TimeSpan.FromSeconds(10));
        }
        client.Receive(trace);
        client.Dispose();
    }

    private static void CheckIdle(StreamLaneEnd server)
    {
        IdleEnd.CheckLog(server.Log);
        FuzzFailure.ThrowIf(server.Leftovers != Nothing, $"the idle server has {server.Leftovers}");
        FuzzFailure.ThrowIf(server.Lane.ConnectionCount != 0, $"the idle server has {server.Lane.ConnectionCount} connections");
        IdleEnd.CheckLedger(server.Lane.Ledger);
    }

    private static void AskHonestly(Wire wire, StreamLaneEnd server, Trace trace)
    {
        using var honest = new ScriptedConnection(server.Accept("honest"));
        honest.Send(Hex.Bytes("00e1"));
        honest.Send(Reframing.ToStream(Hex.Bytes("41010000 20 b5 68656c6c6f")));
        wire.RunFor(TimeSpan.FromSeconds(1));
        honest.Receive(trace);
        FuzzFailure.ThrowIf(honest.Messages is not [{ Code: 0xE1 }, { Code: 0x45, Token: "20" }], $"the honest client got {string.Join(", ", honest.Messages)}");
        IdleEnd.CheckLog(server.Log);
    }
}
