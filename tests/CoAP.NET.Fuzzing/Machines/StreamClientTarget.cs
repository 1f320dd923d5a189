using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Parsers;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>
/// A client with one connection, and a server that breaks rules. Each step is a kind, a wait, and a call (bit 0 of the kind) or bytes: as they are,
/// or with bit 7 a datagram, fitted to the latest request as in <see cref="Fitting"/> and framed for a stream. Bit 5 ends sending.
/// </summary>
internal sealed class StreamClientTarget() : FuzzTarget("stream-client")
{
    private const int MaxCalls = 12;
    private const int MaxStanding = 200;

    private static readonly TimeSpan Silence = TimeSpan.FromHours(2);

    public override IReadOnlyList<byte[]> Dictionary => Words.Messages;

    public override int LeastInputs => 30;

    public override int MaxLength => 8000;

    public override void Run(FuzzInput input, Trace trace)
    {
        var wire = new Wire(new ManualClock());
        using var client = new StreamLaneEnd(wire, new CoapClientSettings
        {
            ClientTransfers = new() { MaxResponseBody = 64 << 10, MaxTotalResponseSize = 128 << 10 },
            Stream = new StreamSettings { PingInterval = TimeSpan.FromSeconds(60) },
        });
        using var server = new ScriptedConnection(client.PeerConnection);
        var calls = new List<Task<CoapResponse>>();
        (int Kind, byte[] Message)? standing = null;
        var left = MaxStanding;
        foreach (var step in input.Steps)
        {
            var (kind, message) = (Steps.Kind(step), Steps.Message(step));
            if ((kind & 1) != 0 && calls.Count < MaxCalls) { Call(client, calls, message, trace); }
            else { Send(server, kind, message); }
            if ((kind & (1 | Fitting.IsStanding)) == Fitting.IsStanding) { standing = (kind, message); }
            if ((kind & 0x20) != 0) { server.EndSending(); }
            wire.RunFor(Steps.Wait(step));
            for (; server.Receive(trace) > 0 && standing is { } answer && left > 0; left--)
            {
                Send(server, answer.Kind, answer.Message);
                wire.RunFor(TimeSpan.Zero);
            }
            trace.AddSize("in flight", client.BytesInFlight);
            trace.AddSize("held", client.HeldResponseBytes);
        }
        server.Receive(trace);
        server.Dispose();
        wire.RunFor(Silence);
        IdleEnd.TraceCounters(client.Lane, trace);
        foreach (var call in calls) { Calls.Check(call, client.Leftovers, trace); }
        CheckIdle(client);
    }

    private static void Call(StreamLaneEnd client, List<Task<CoapResponse>> calls, byte[] which, Trace trace)
    {
        try { calls.Add(client.Send(Calls.Request(which.Length == 0 ? 0 : which[0] % 5))); }
        // The peer accepts messages that are too small even for a block.
        catch (ArgumentException refusal) { trace.AddText("refusal", refusal.Message); }
    }

    private static void Send(ScriptedConnection server, int kind, byte[] message) =>
        server.Send((kind & 0x80) != 0 ? Reframing.ToStream(Fitting.Fit(kind, message, server.Latest)) : message);

    private static void CheckIdle(StreamLaneEnd client)
    {
        IdleEnd.CheckLog(client.Log);
        FuzzFailure.ThrowIf(client.Leftovers != "0 exchanges, 0 pending requests, 0 bytes in flight", $"the idle client has {client.Leftovers}");
        FuzzFailure.ThrowIf(client.HeldResponseBytes != 0, $"the idle client holds {client.HeldResponseBytes} bytes of responses");
        FuzzFailure.ThrowIf(client.Lane.ConnectionCount != 0, $"the idle client has {client.Lane.ConnectionCount} connections");
        IdleEnd.CheckLedger(client.Lane.Ledger);
    }
}
