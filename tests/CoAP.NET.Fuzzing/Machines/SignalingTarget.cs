using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Parsers;
using CoAP.Serialization;
using CoAP.Signaling;

namespace CoAP.Fuzzing.Machines;

/// <summary>
/// The signaling of one connection, without the connection (RFC 8323, section 5). Each step is an event, a wait and a message in the format of
/// streams.
/// </summary>
internal sealed class SignalingTarget() : FuzzTarget("signaling")
{
    private static readonly StreamSettings Settings = new() { PingInterval = TimeSpan.FromSeconds(20), MaxTokenLength = 16 };

    public override IReadOnlyList<byte[]> Dictionary => Words.Messages;

    public override void Run(FuzzInput input, Trace trace)
    {
        var machine = new SignalingMachine(Settings);
        var (now, requests, calls) = (0L, new Queue<int>(), 0);
        trace.Add("csm", machine.Open(now).Code.Value);
        foreach (var step in input.Steps)
        {
            now += Steps.Wait(step).Ticks;
            Poll(machine, now, trace);
            var (state, deadline) = (machine.State, machine.Deadline);
            var outcome = Do(machine, step, now, requests, ref calls);
            Examine(machine, outcome, trace);
            FuzzFailure.ThrowIf(state == SignalingState.Closed && outcome is not null && outcome != SignalOutcome.Nothing, $"a closed connection answers with {outcome}");
            FuzzFailure.ThrowIf(state == SignalingState.Closed && (machine.State != state || deadline != long.MaxValue), "a closed connection has come back");
            FuzzFailure.ThrowIf(machine.RequestsInProgress != requests.Count, $"{requests.Count} requests are in progress, not {machine.RequestsInProgress}");
        }
        EndInTime(machine, now, trace);
    }

    private static void Poll(SignalingMachine machine, long now, Trace trace)
    {
        for (var polls = 0; machine.Deadline <= now; polls++)
        {
            Examine(machine, machine.Poll(now), trace);
            FuzzFailure.ThrowIf(polls > 10, $"the deadline {machine.Deadline} stays in the past at {now}");
        }
        FuzzFailure.ThrowIf(machine.Poll(now) != SignalOutcome.Nothing, "there was something to do before the deadline");
    }

    private static SignalOutcome? Do(SignalingMachine machine, byte[] step, long now, Queue<int> requests, ref int calls)
    {
        switch (Steps.Kind(step) % 10)
        {
            case 1:
                requests.Enqueue(machine.RequestStarted());
                return null;
            case 2:
                return requests.TryDequeue(out var generation) ? machine.RequestFinished(generation, now) : null;
            case 3:
                machine.CallStarted();
                calls++;
                return null;
            case 4:
                return calls-- > 0 ? machine.CallFinished(now) : Reset(ref calls);
            case 5:
                return machine.Release(now, "over");
            case 6:
                return machine.Probe(now);
            case 7:
                machine.MessageStarted(now);
                return null;
            case 8 when step.Length > 4:
                var verdict = machine.JudgeLength(((long)step[3] << 20) | step[4], new CoapCode(step[2]), step[4]);
                FuzzFailure.ThrowIf(verdict.Action == FrameAction.Abort && string.IsNullOrEmpty(verdict.Diagnostic), "an Abort without a reason");
                return null;
            default:
                return Receive(machine, Steps.Message(step), now);
        }
    }

    private static SignalOutcome? Reset(ref int calls)
    {
        calls = 0;
        return null;
    }

    private static SignalOutcome? Receive(SignalingMachine machine, byte[] bytes, long now)
    {
        if (!CoapMessageSerializer.Stream.TryRead(bytes.AsSpan(), out var message, out _, out _)) { return null; }
        return message.Code.IsSignal ? machine.Receive(message, now) : machine.Heard(message.Code, now);
    }

    private static void Examine(SignalingMachine machine, SignalOutcome? outcome, Trace trace)
    {
        trace.Add("state", (long)machine.State);
        trace.Add("limits", (machine.PeerSupportsBert ? 1 : 0) + (machine.PeerSupportsBlockWise ? 2 : 0) + (machine.MayStartRequests ? 4 : 0));
        trace.AddSize("most", machine.PeerMaxMessageSize);
        trace.AddText($"outcome {outcome?.GetType().Name}", (outcome as CloseConnection)?.Explanation);
        var sent = (outcome as SendSignals)?.Messages ?? (outcome as CloseConnection)?.Messages ?? [];
        foreach (var signal in sent)
        {
            trace.Add("sent", signal.Code.Value);
            var size = CoapMessageSerializer.Stream.GetSize(signal);
            FuzzFailure.ThrowIf(size > Math.Max(machine.PeerMaxMessageSize, 1152) && signal.Token.IsEmpty, $"a {signal.Code} of {size} bytes is more than the {machine.PeerMaxMessageSize} bytes of the peer");
            FuzzFailure.ThrowIf(!CoapMessageSerializer.Stream.TryRead(CoapMessageSerializer.Stream.Serialize(signal).AsSpan(), out _, out var error, out _), $"{signal} cannot be read: {error}");
        }
    }

    // A peer that says nothing more is given up: after a time, the connection is closed.
    private static void EndInTime(SignalingMachine machine, long now, Trace trace)
    {
        var end = now + TimeSpan.FromHours(1).Ticks;
        for (var polls = 0; machine.Deadline < end; polls++)
        {
            now = Math.Max(now, machine.Deadline);
            Examine(machine, machine.Poll(now), trace);
            FuzzFailure.ThrowIf(polls > 1000, $"the silent peer is polled for ever; the connection is {machine.State}");
        }
        FuzzFailure.ThrowIf(machine.State != SignalingState.Closed, $"the peer has been silent for an hour, and the connection is {machine.State}");
    }
}
