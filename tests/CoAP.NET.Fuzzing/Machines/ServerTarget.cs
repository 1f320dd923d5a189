using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Parsers;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>
/// A server over datagrams and three clients that break rules. Each step is a kind, a wait and a datagram. Kind: bits 0 and 1 are the client,
/// 2 gives the datagram a message ID that was not used before, 3 acknowledges what came last instead (4: rejects it), 5 changes the observed state.
/// </summary>
/// <remarks>In the end all clients are silent: nothing may be left, and an honest client is answered.</remarks>
internal sealed class ServerTarget(string name, bool isStreamed = false, bool isGroup = false) : FuzzTarget(name)
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";
    private const int Clients = 3;

    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(1000);

    public override IReadOnlyList<byte[]> Dictionary => Words.Messages;

    public override int LeastInputs => 30;

    public override int MaxLength => 12_000;

    public override void Run(FuzzInput input, Trace trace)
    {
        var wire = new Wire(new ManualClock());
        var map = new ServedMap(wire.Time);
        using var server = LaneEnd.Server(wire, resources => Map(map, resources), Settings());
        var group = isGroup ? MulticastSettings.AllCoapNodes[0].ToString() : null;
        ScriptedClient[] clients = [.. Enumerable.Range(0, Clients).Select(one => new ScriptedClient(Peer(wire, group, one), wire))];
        ushort id = 0x5000;
        foreach (var step in input.Steps)
        {
            Play(step, clients[(Steps.Kind(step) & 3) % Clients], map, ref id);
            clients[(Steps.Kind(step) & 3) % Clients].Wait(Steps.Wait(step), trace);
            trace.AddSize("exchanges", server.Lane.Exchanges.Count);
            trace.AddSize("bodies", server.BodiesUnderWay);
        }
        IdleEnd.Quieten(wire, Silence, server.Lane, () => server.Leftovers == Nothing, server.AwaitWork);
        foreach (var client in clients) { client.Wait(TimeSpan.Zero, trace); }
        if (!isGroup) { Array.ForEach(clients, client => client.Check()); }
        IdleEnd.TraceCounters(server.Lane, trace);
        CheckIdle(server);
        AskHonestly(wire, server);
        Array.ForEach(clients, client => client.Dispose());
    }

    private static ScriptedPeer Peer(Wire wire, string? group, int number) =>
        group is null ? ScriptedPeer.Client(wire, $"peer{number}") : ScriptedPeer.ClientOf(wire, group, $"peer{number}");

    private void Map(ServedMap map, ResourceMap resources)
    {
        map.Map(resources);
        if (isStreamed) { ServedMap.MapStreamed(resources); }
    }

    private CoapServerSettings Settings() => new()
    {
        ServerTransfers = new() { MaxTotalSize = 100 << 10, StreamWindow = 1024, MaxBodySize = 30_000, MaxBodiesPerPeer = 4 },
        ServerObservations = new() { UnverifiedTimeout = TimeSpan.FromSeconds(30), ConfirmableInterval = TimeSpan.FromMinutes(5) },
        Amplification = new() { ExemptsLoopback = false },
        Multicast = isGroup ? new MulticastSettings { Leisure = TimeSpan.FromSeconds(1) } : null,
    };

    private static void Play(byte[] step, ScriptedClient client, ServedMap map, ref ushort id)
    {
        var kind = Steps.Kind(step);
        if ((kind & 0x20) != 0) { map.NotifyChanged(); }
        if ((kind & 0x08) != 0)
        {
            client.React(rejects: (kind & 0x10) != 0);
            return;
        }
        var message = Steps.Message(step);
        if ((kind & 0x04) != 0 && message.Length >= 4)
        {
            id++;
            message = [.. message[..2], (byte)(id >> 8), (byte)id, .. message[4..]];
        }
        if (message.Length > 0) { client.Send(message); }
    }

    private static void CheckIdle(LaneEnd server)
    {
        IdleEnd.CheckLog(server.Log);
        FuzzFailure.ThrowIf(server.Leftovers != Nothing, $"the idle server has {server.Leftovers}");
        FuzzFailure.ThrowIf(server.BodiesUnderWay + server.HeldResponseBytes != 0, $"the idle server holds {server.BodiesUnderWay} bodies and {server.HeldResponseBytes} bytes");
        IdleEnd.CheckLedger(server.Lane.Ledger);
    }

    private static void AskHonestly(Wire wire, LaneEnd server)
    {
        using var honest = ScriptedPeer.Client(wire, "honest");
        honest.Send("CON [0x7d34] GET /hello (Token 0x20)");
        honest.Expect($"ACK [0x7d34] 2.05 Content (Token 0x20) {{Content-Format: 0}} '{ServedMap.Greeting}'");
        IdleEnd.CheckLog(server.Log);
    }
}
