using CoAP.Lanes;
using CoAP.Signaling;

namespace CoAP.Streams;

/// <summary>Carries out on a connection what its signaling machine decides (RFC 8323, section 5).</summary>
internal sealed class StreamSignals(
    StreamLane lane, StreamChannel channel, SignalingMachine machine, StreamLifetime lifetime, PeerCapabilities capabilities, StreamOutput output)
{
    private long Now => lane.Now;

    private string Self => lane.Settings.IsClient ? "this client" : "this server";

    /// <summary>Sends our CSM (RFC 8323, section 5.3).</summary>
    public void Open() => Send(machine.Open(Now));

    /// <summary>Handles a signaling message of the peer.</summary>
    public void Receive(CoapMessage signal)
    {
        if (lifetime.State == StreamState.Open) { Apply(machine.Receive(signal, Now)); }
    }

    /// <summary>Counts a message of the peer that is not a signal.</summary>
    public void OnMessage(CoapCode code) => Apply(machine.Heard(code, Now));

    /// <summary>Handles the response to a request of the peer.</summary>
    /// <param name="generation">The value that the start of the request returned.</param>
    public void OnRequestFinished(int generation) => Apply(machine.RequestFinished(generation, Now));

    /// <summary>Handles the end of a request, or of another use of the connection.</summary>
    public void OnCallFinished() => Apply(machine.CallFinished(Now));

    /// <summary>Sends a Ping if the peer may be gone (RFC 8323, section 5.4).</summary>
    public void Probe() => Apply(machine.Probe(Now));

    /// <summary>Acts on the time limits of the machine.</summary>
    public void OnDeadline() => Apply(machine.Poll(Now));

    /// <summary>Sends an Abort and ends the connection (RFC 8323, section 5.6).</summary>
    public void Abort(string diagnostic) => Apply(machine.Abort(diagnostic));

    /// <summary>Sends a Release and ends the connection (RFC 8323, section 5.5).</summary>
    public void Release(string diagnostic)
    {
        if (lifetime.State != StreamState.Open) { return; }
        Apply(machine.Release(Now, diagnostic: diagnostic));
        lifetime.End(StreamLifetime.EndpointEnded);
    }

    /// <summary>Sends an Empty message, which the peer ignores (RFC 8323, section 5.4). If the peer is gone, this or the next write fails.</summary>
    public void SendEmpty() => Send(new CoapMessage());

    /// <summary>Sends a message that belongs to no exchange.</summary>
    public void Send(CoapMessage message) => lane.SignalsOut.Emit(new OutgoingMessage(channel.Key, message) { Link = channel });

    private void Apply(SignalOutcome outcome)
    {
        switch (outcome)
        {
            case SendSignals signals:
                SendAll(signals.Messages);
                break;
            case CloseConnection close:
                Close(close);
                break;
            case PeerLimitsChanged:
                capabilities.Update(machine);
                WithdrawTooLarge();
                channel.OnCapabilities();
                break;
            case PeerReleased released:
                OnReleased(released);
                break;
            case PeerAborted aborted:
                lifetime.IsAbort = true;
                lifetime.Close($"the peer aborted it: {(aborted.Diagnostic.Length > 0 ? aborted.Diagnostic.TrimEnd('.') : "no reason given")}");
                break;
        }
    }

    private void SendAll(IReadOnlyList<CoapMessage> messages)
    {
        foreach (var message in messages) { Send(message); }
    }

    private void Close(CloseConnection close)
    {
        var isAbort = close.Reason == CloseReason.Aborted;
        if (isAbort) { lane.Metrics[LaneCounters.AbortedConnections]++; }
        SendAll(close.Messages);
        var reason = close.Explanation.TrimEnd('.');      // the error and the log end the sentence
        lifetime.End(isAbort ? $"{Self} aborted it: {reason}" : reason, discardsOutput: isAbort);
    }

    private void OnReleased(PeerReleased released)
    {
        const string Reason = "the peer released it";
        if (released.AlternativeAddresses.Count > 0 || released.HoldOff is not null)
        {
            lifetime.Advice = new(released.AlternativeAddresses, released.HoldOff ?? TimeSpan.Zero, lane.Time.GetTimestamp());
        }
        lifetime.Retire();
        if (released.CloseNow) { lifetime.End(Reason); }
        else { channel.OnReleased(Reason); }
    }

    /// <summary>Withdraws large messages that exceed the peer's new limit, if nothing of them was sent. Requests fail, responses become 5.00.</summary>
    private void WithdrawTooLarge()
    {
        foreach (var piece in output.LargerThan(capabilities.MaxSize))
        {
            var message = piece.Message!;
            if (!output.TryWithdraw(piece)) { continue; }
            if (!message.Code.IsRequest) { lane.LateMessages.Emit(new OutgoingMessage(channel.Key, message) { Link = channel }); }
            else if (lane.Exchanges.TryFind(message.Token, channel.Key, out var owner))
            {
                owner.Fail(new CoapTransportException(channel.DescribeTooLarge(piece.Size)));
            }
        }
    }
}
