using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Parsers;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>
/// A client over datagrams and a server that breaks rules. Each step is a kind, a wait, and a call (bit 0 of the kind) or a datagram of the
/// server, which is fitted to the latest request as the other bits of the kind say (<see cref="Fitting"/>).
/// </summary>
/// <remarks>Every call ends, nothing is left, and a server that is honest afterwards is heard.</remarks>
internal sealed class ClientTarget(string name) : FuzzTarget(name)
{
    private const int MaxCalls = 12;
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests";

    private static readonly TimeSpan Silence = TimeSpan.FromHours(10);

    public override IReadOnlyList<byte[]> Dictionary => Words.Messages;

    public override int LeastInputs => 30;

    public override int MaxLength => 8000;

    public override void Run(FuzzInput input, Trace trace)
    {
        var wire = new Wire(new ManualClock());
        using var client = LaneEnd.Client(wire, new CoapClientSettings
        {
            ClientTransfers = new() { MaxResponseBody = 64 << 10, MaxTotalResponseSize = 128 << 10 },
            ClientObservations = new() { MaxQueuedNotifications = 4 },
        });
        using var server = new ScriptedAnswers(ScriptedPeer.Server(wire));
        var calls = new Calls(wire, client);
        foreach (var step in input.Steps)
        {
            var (kind, message) = (Steps.Kind(step), Steps.Message(step));
            if ((kind & 1) != 0 && calls.Count < MaxCalls) { calls.Begin(message); }
            else if (message.Length > 0) { server.Send(kind, message); }
            server.Wait(Steps.Wait(step), trace);
            trace.AddSize("exchanges", client.Lane.Exchanges.Count);
            trace.AddSize("held", client.HeldResponseBytes);
        }
        calls.LeaveObservations(trace);
        wire.RunFor(Silence);
        server.Wait(TimeSpan.Zero, trace);
        wire.RunFor(Silence);
        IdleEnd.TraceCounters(client.Lane, trace);
        calls.Check(trace);
        CheckIdle(client);
        server.Dispose();
        AskHonestly(wire, client);
    }

    private static void CheckIdle(LaneEnd client)
    {
        IdleEnd.CheckLog(client.Log);
        FuzzFailure.ThrowIf(!client.Leftovers.StartsWith(Nothing, StringComparison.Ordinal), $"the idle client has {client.Leftovers}");
        FuzzFailure.ThrowIf(client.HeldResponseBytes != 0, $"the idle client holds {client.HeldResponseBytes} bytes of responses");
        IdleEnd.CheckLedger(client.Lane.Ledger);
    }

    private static void AskHonestly(Wire wire, LaneEnd client)
    {
        using var honest = ScriptedPeer.Server(wire);
        var call = client.Get("/honest");
        honest.Expect("CON [X] GET /honest (Token T)");
        honest.Send("ACK [X] 2.05 Content (Token T) 'yes'");
        wire.RunFor(TimeSpan.FromSeconds(1));
        FuzzFailure.ThrowIf(!call.IsCompletedSuccessfully || call.Answer().PayloadText != "yes", "the honest server was not heard");
    }
}
