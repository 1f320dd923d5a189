using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Parsers;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>
/// A server with DTLS and three clients that break rules. Each step is a kind, a wait and bytes. Kind: bits 0 and 1 are the client, of which the last has no
/// connection IDs; bits 2 to 4 say what it sends: the bytes (0), its handshake with the bits of the bytes inverted (1), a CoAP message (2) or a record with the
/// type of the first byte (3) in its session, or a new handshake (4).
/// </summary>
/// <remarks>In the end all clients are silent for a day: nothing may be left, no object of OpenSSL either, and an honest client is answered.</remarks>
internal sealed class DtlsServerTarget() : FuzzTarget("dtls-server")
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";
    private const int Clients = 3;

    private static readonly TimeSpan Silence = TimeSpan.FromHours(25);
    private static readonly PeerIdentity Honest = PeerIdentity.From("server");

    public override IReadOnlyList<byte[]> Dictionary => Words.Messages;

    public override int LeastInputs => 20;

    public override int MaxLength => 8000;

    public override void Run(FuzzInput input, Trace trace)
    {
        var objects = SslHandle.Count;
        var wire = new Wire(new ManualClock());
        var map = new ServedMap(wire.Time);
        using (var server = LaneEnd.Server(wire, map.Map, new CoapServerSettings { Dtls = Settings(), Amplification = new() { ExemptsLoopback = false } }))
        {
            SecuredScript[] clients = [.. Enumerable.Range(0, Clients).Select(one => new SecuredScript(wire, $"peer{one}", usesIds: one < Clients - 1))];
            foreach (var step in input.Steps)
            {
                var client = clients[(Steps.Kind(step) & 3) % Clients];
                Play(client, Steps.Kind(step) >> 2 & 7, Steps.Message(step));
                client.Wait(Steps.Wait(step));
                trace.AddSize("sessions", Array.FindAll(clients, static one => one.IsDone).Length);
            }
            trace.AddSize("calls", map.Calls);
            Array.ForEach(clients, static client => client.Dispose());
            IdleEnd.Quieten(wire, Silence, server.Lane, () => server.Leftovers == Nothing, server.AwaitWork);
            IdleEnd.TraceCounters(server.Lane, trace);
            IdleEnd.CheckLog(server.Log);
            FuzzFailure.ThrowIf(server.Leftovers != Nothing, $"the idle server has {server.Leftovers}");
            IdleEnd.CheckLedger(server.Lane.Ledger);
            AskHonestly(wire, server);
        }
        FuzzFailure.ThrowIf(SslHandle.Count > objects, $"{SslHandle.Count - objects} objects of OpenSSL are left");
    }

    private static DtlsServerSettings Settings() => new() { PreSharedKeys = PskStore.From(SecuredScript.Key), ComputesOnLane = true };

    private static void Play(SecuredScript client, int action, byte[] bytes)
    {
        switch (action)
        {
            case 1:
                client.SendHandshake(bytes);
                break;
            case 2:
                client.SendSealed(ContentType.ApplicationData, bytes);
                break;
            case 3 when bytes.Length > 0:
                client.SendSealed((ContentType)bytes[0], bytes[1..]);
                break;
            case 4:
                client.Restart();
                break;
            default:
                client.Send(bytes);
                break;
        }
    }

    private static void AskHonestly(Wire wire, LaneEnd server)
    {
        using var honest = LaneEnd.Client(wire, new CoapClientSettings { Dtls = new DtlsClientSettings { PreSharedKey = SecuredScript.Key, ComputesOnLane = true } }, "honest");
        var answer = honest.Send(new CoapRequest(RequestCode.Get, "/hello"), PeerNames.OfServer(Honest, "server"));
        wire.RunFor(TimeSpan.FromSeconds(30));
        FuzzFailure.ThrowIf(!answer.IsCompletedSuccessfully, "an honest client gets no answer");
        IdleEnd.CheckLog(server.Log);
    }
}
