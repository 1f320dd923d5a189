using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP.Datagrams;

/// <summary>The state of a datagram peer that receives requests: NSTART and its queue, message IDs, round-trip times, the probing rate.</summary>
/// <remarks>Created with the first request to the peer. Removed when nothing has been sent for EXCHANGE_LIFETIME, the quarantine of message IDs.</remarks>
internal sealed class DatagramChannel : LaneChannel, IMovableDeadline
{
    // In bytes: about one confirmable request with its retransmissions.
    private const int ProbingBurst = 256;

    private readonly ChannelPorts _ports;
    private readonly RequestWindow<ClientExchange> _window;
    private readonly RoundTripEstimator _estimator;
    private readonly Queue<ClientExchange> _held = new();       // held by the probing rate; the first one has a deadline
    private ProbingBudget _probing;
    private bool _isAdvancing;

    public DatagramChannel(ExchangeLane lane, in ChannelKey key)
        : base(lane, key)
    {
        var transmission = lane.Settings.Transmission;
        _ports = new ChannelPorts(this);
        _window = new RequestWindow<ClientExchange>(lane.Channels.NStartOf(key.Peer) ?? transmission.NStart, lane.Settings.MaxQueuedRequests);
        _estimator = new RoundTripEstimator(transmission.AckTimeout.Ticks);
        _probing = new ProbingBudget(transmission.ProbingRate, ProbingBurst);
        ExtendLifetime();
    }

    /// <summary>The maximum number of outstanding requests (RFC 7252, section 4.7).</summary>
    public override int NStart => _window.NStart;

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    public override MessageLimits? Limits => LimitsOf(Lane.MaxSendSizeTo(Key));

    public static MessageLimits LimitsOf(int maxSize) => new(maxSize, IsReliable: false, SupportsBert: false);

    /// <summary>The smoothed round-trip time, in ticks; <see langword="null"/> before a confirmable message is acknowledged.</summary>
    public long? RoundTripEstimate => _estimator.RoundTrip;

    /// <summary>Sets the maximum number of outstanding requests, and starts waiting requests if there is room (RFC 7252, section 4.7).</summary>
    public override void SetNStart(int nStart)
    {
        _window.NStart = nStart;
        Advance();
    }

    /// <summary>Creates the timer for the first transmission of a confirmable message.</summary>
    public override Retransmission StartTimer(TransmissionParameters parameters)
    {
        var chance = Lane.Random.NextDouble();
        return Lane.Settings.Congestion == CongestionMode.Adaptive && ReferenceEquals(parameters, Lane.Settings.Transmission)
            ? Retransmission.Adaptive(Lane.Now, _estimator.Timeout(Lane.Now, _window.Outstanding), parameters, chance)
            : Retransmission.Fixed(Lane.Now, parameters, chance);
    }

    /// <summary>Measures the round-trip time with the timer of an acknowledged message.</summary>
    public override void Measure(in Retransmission timer) =>
        _estimator.OnAcknowledged(Lane.Now, Lane.Now - timer.StartedAt, timer.Attempts - 1);

    /// <summary>The number of local ports in use besides the first one.</summary>
    public int FurtherPorts => _ports.Further;

    public override bool TryNextMessageId(in ChannelKey key, out MessageId messageId) => _ports.TryNext(key, out messageId);

    public override void Settle(in ChannelKey key, MessageId messageId) => _ports.Settle(key, messageId);

    public override ChannelKey PlaceFor(in ChannelKey key) => _ports.PlaceFor(key);

    public override void Stay(in ChannelKey key) => _ports.Stay(key);

    public override void Leave(in ChannelKey key) => _ports.Leave(key);

    /// <summary>Records that the peer has sent a message, so that the probing rate no longer applies (RFC 7252, section 4.7).</summary>
    public void Heard()
    {
        _probing.Heard();
        foreach (var follower in Followers) { follower.OnHeard(); }
        if (_held.Count > 0) { Advance(); }
    }

    // No state records the end of these requests, so NSTART cannot limit them. The probing rate does until the peer sends something (RFC 8974, section 3.3).
    public override void Send(UntrackedRequest request)
    {
        if (Lane.HasEnded) { request.Abandon(); }
        else if (!_probing.TryTake(request.Size, Lane.Now, out _))
        {
            request.Fail(new CoapBusyException($"{Key.Peer} does not answer, and PROBING_RATE allows no more data for now (RFC 7252, section 4.7)."));
        }
        else if (!TryNextMessageId(Key, out var messageId))
        {
            request.Fail(new CoapBusyException($"No message ID for {Key.Peer} is free (RFC 7252, section 4.4)."));
        }
        else
        {
            request.Admit(messageId);
            Settle(Key, messageId);
            ExtendLifetime();
        }
    }

    public override void Submit(ClientExchange exchange)
    {
        if (exchange.IsOutstanding)
        {
            // The request is in the window already. A message ID or the probing rate held it back.
            if (_held.TryPeek(out var first) && first == exchange) { Advance(); }
            else { StartWithMessageId(exchange); }
            return;
        }
        var entry = _window.Enter(exchange);
        if (entry == WindowEntry.Started) { Admit(exchange); }
        else if (entry != WindowEntry.Full) { exchange.ResubmitAt(); }
        else
        {
            exchange.Fail(new CoapBusyException(
                $"{Lane.Settings.MaxQueuedRequests} requests to {Key.Peer} wait because NSTART is {_window.NStart} (RFC 7252, section 4.7). " +
                "MaxQueuedRequests allows no more."));
        }
    }

    public override void Release(ClientExchange exchange)
    {
        if (_window.Remove(exchange) || !exchange.IsOutstanding) { return; }
        exchange.IsOutstanding = false;
        _window.Leave();
        Advance();
        _ports.SweepLater();
        ExtendLifetime();
    }

    public void OnDeadline()
    {
        _ports.Sweep();
        if (_window.Outstanding > 0 || _ports.IsBusy || Followers.Any(static follower => follower.IsBusy))
        {
            ExtendLifetime();
            return;
        }
        _ports.Close();
        Lane.Channels.Remove(this);
    }

    private void Admit(ClientExchange exchange)
    {
        exchange.IsOutstanding = true;
        if (exchange.Request.IsConfirmable)
        {
            StartWithMessageId(exchange);
            return;
        }
        _held.Enqueue(exchange);
        if (_held.Count == 1) { SendHeld(); }
        else { exchange.ResubmitAt(); }
    }

    /// <summary>Starts waiting requests while there is room. Not recursive, because a request can fail at once and make room for the next.</summary>
    private void Advance()
    {
        if (_isAdvancing) { return; }
        _isAdvancing = true;
        try
        {
            SendHeld();
            while (_window.TryStartNext(out var next)) { Admit(next); }
        }
        finally { _isAdvancing = false; }
    }

    private void SendHeld()
    {
        while (_held.TryPeek(out var next))
        {
            var size = MessageLimits.SizeOf(next.Options, next.Payload.Length, isReliable: false);
            if (!next.IsDone && !Lane.HasEnded && !_probing.TryTake((int)size, Lane.Now, out var probeAt))
            {
                next.ResubmitAt(probeAt);
                return;
            }
            _held.Dequeue();
            if (!next.IsDone) { StartWithMessageId(next); }
        }
    }

    private void StartWithMessageId(ClientExchange exchange)
    {
        if (Lane.HasEnded)
        {
            exchange.Abandon();
            return;
        }
        var strict = !Lane.Settings.AllowsMessageIdReuse && !exchange.IsFollowUp;
        switch (_ports.TryNext(exchange, strict, out var messageId, out var retryAt))
        {
            case MessageIdOutcome.Exhausted when retryAt - Lane.Now > Lane.Settings.MaxMessageIdWait.Ticks:
                exchange.Fail(new CoapBusyException(
                    $"No message ID for {Key.Peer} leaves quarantine within {TimeSpan.FromTicks(retryAt - Lane.Now).TotalSeconds:0.#} s. " +
                    "64,512 IDs of a local port in EXCHANGE_LIFETIME allow 260 messages a second (RFC 7252, section 4.4), " +
                    $"and local ports in use: {_ports.Further + 1}. " +
                    "Allow more local ports (MaxLocalPorts), or set AllowsMessageIdReuse."));
                return;
            case MessageIdOutcome.Exhausted:
                exchange.ResubmitAt(retryAt);
                return;
            case MessageIdOutcome.Reused:
                Lane.Metrics[LaneCounters.ReusedMessageIds]++;
                break;
        }
        exchange.Admit(messageId);
    }

    private void ExtendLifetime() => Lane.WakeAt(this, Lane.After(Lane.Settings.Transmission.ExchangeLifetime));
}
