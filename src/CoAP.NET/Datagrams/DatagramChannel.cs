using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP.Datagrams;

/// <summary>What a lane remembers of a datagram peer that we send requests to: NSTART and its queue, message IDs, round trips, the probing rate.</summary>
/// <remarks>Made with the first request to the peer; goes when nothing was sent for as long as message IDs are in quarantine.</remarks>
internal sealed class DatagramChannel : LaneChannel, ILaneDeadline
{
    // About what one confirmable request with its retransmissions may send before anything is heard.
    private const int ProbingBurst = 256;

    private readonly MessageIdSource _messageIds;
    private readonly RequestWindow<ClientExchange> _window;
    private readonly RoundTripEstimator _estimator;
    private readonly Queue<ClientExchange> _held = new();       // by the probing rate; the first one has a deadline
    private ProbingBudget _probing;
    private bool _isAdvancing;

    public DatagramChannel(ExchangeLane lane, in ChannelKey key)
        : base(lane, key)
    {
        var transmission = lane.Settings.Transmission;
        var start = lane.MessageIds.TryTake(lane.HashOf(key), out var next) ? next : lane.MessageIds.Next(lane.HashOf(key));
        _messageIds = MessageIdSource.ForUnicast(lane.Now, transmission.ExchangeLifetime.Ticks, start.Value);
        _window = new RequestWindow<ClientExchange>(lane.Channels.NStartOf(key.Peer) ?? transmission.NStart, lane.Settings.MaxQueuedRequests);
        _estimator = new RoundTripEstimator(transmission.AckTimeout.Ticks);
        _probing = new ProbingBudget(transmission.ProbingRate, ProbingBurst);
        Rest();
    }

    /// <summary>The robust transfers with the peer.</summary>
    /// <summary>How many requests may be outstanding (RFC 7252, section 4.7).</summary>
    public override int NStart => _window.NStart;

    public long Deadline { get; private set; }

    public int QueueIndex { get; set; }

    public override MessageLimits? Limits => LimitsOf(Lane);

    public static MessageLimits LimitsOf(ExchangeLane lane) => new(lane.Settings.MaxSendSize, IsReliable: false, SupportsBert: false);

    /// <summary>The smoothed round trip to the peer, in ticks; nothing before a confirmable message was acknowledged.</summary>
    public long? RoundTripEstimate => _estimator.RoundTrip;

    /// <summary>How many requests may be outstanding from now on; those that wait start as far as there is room (RFC 7252, section 4.7).</summary>
    public override void SetNStart(int nStart)
    {
        _window.NStart = nStart;
        Advance();
    }

    /// <summary>The timer of a confirmable message that is about to be sent for the first time.</summary>
    public override Retransmission StartTimer(TransmissionParameters parameters)
    {
        var chance = Lane.Random.NextDouble();
        return Lane.Settings.Congestion == CongestionControl.Adaptive && ReferenceEquals(parameters, Lane.Settings.Transmission)
            ? Retransmission.Adaptive(Lane.Now, _estimator.Timeout(Lane.Now, _window.Outstanding), parameters, chance)
            : Retransmission.Fixed(Lane.Now, parameters, chance);
    }

    /// <summary>A confirmable message was acknowledged: its round trip is a measurement.</summary>
    public override void Measure(in Retransmission timer) =>
        _estimator.OnAcknowledged(Lane.Now, Lane.Now - timer.StartedAt, timer.Attempts - 1);

    public override bool TryNextMessageId(out MessageId messageId) =>
        _messageIds.TryNext(Lane.Now, strict: false, out messageId, out _) != MessageIdOutcome.Exhausted;

    public override void Settle(MessageId messageId) => _messageIds.Settle(messageId);

    /// <summary>The peer has sent something: it is there, and need not be probed (RFC 7252, section 4.7).</summary>
    public void Heard()
    {
        _probing.Heard();
        Feature?.Heard();
        if (_held.Count > 0) { Advance(); }
    }

    // Nothing tells when it is settled, so NSTART cannot hold it back; the probing rate does, until the peer is heard (RFC 8974, section 3.3).
    public override void Send(UntrackedRequest request)
    {
        if (Lane.HasEnded) { request.Abandon(); }
        else if (!_probing.TryTake(request.Size, Lane.Now, out _))
        {
            request.Fail(new CoapBusyException($"{Key.Peer} has not answered for long; PROBING_RATE allows no more (RFC 7252, section 4.7)."));
        }
        else if (!TryNextMessageId(out var messageId)) { request.Fail(new CoapBusyException($"No message ID towards {Key.Peer} is free (RFC 7252, section 4.4).")); }
        else
        {
            request.Send(messageId);
            Settle(messageId);
            Rest();
        }
    }

    public override void Submit(ClientExchange exchange)
    {
        if (exchange.HasPlace)
        {
            // Its place in the window is taken already; a message ID or the probing rate held it back.
            if (_held.TryPeek(out var first) && first == exchange) { Advance(); }
            else { Draw(exchange); }
            return;
        }
        switch (_window.Enter(exchange))
        {
            case WindowEntry.Started:
                Admit(exchange);
                break;
            case WindowEntry.Full:
                exchange.Fail(new CoapBusyException(
                    $"{Lane.Settings.MaxQueuedRequests} requests to {Key.Peer} wait already behind NSTART {_window.NStart} (RFC 7252, section 4.7)."));
                break;
        }
    }

    public override void Release(ClientExchange exchange)
    {
        if (_window.Remove(exchange) || !exchange.HasPlace) { return; }
        exchange.HasPlace = false;
        _window.Leave();
        Advance();
        Rest();
    }

    public void OnDeadline()
    {
        if (_window.Outstanding > 0 || _messageIds.Unsettled > 0 || Feature is { IsBusy: true })
        {
            Rest();
            return;
        }
        Lane.MessageIds.Put(Lane.HashOf(Key), _messageIds.Next);
        Lane.Channels.Remove(this);
    }

    private void Admit(ClientExchange exchange)
    {
        exchange.HasPlace = true;
        Start(exchange);
    }

    private void Start(ClientExchange exchange)
    {
        if (exchange.Request.IsConfirmable)
        {
            Draw(exchange);
            return;
        }
        _held.Enqueue(exchange);
        if (_held.Count == 1) { SendHeld(); }
    }

    /// <summary>Starts what waits, as far as there is room for it. Not by recursion: what is started may fail at once and make room.</summary>
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
            if (!next.IsDone && !Lane.HasEnded && !_probing.TryTake(EstimatedSize(next), Lane.Now, out var probeAt))
            {
                next.WaitUntil(probeAt);
                return;
            }
            _held.Dequeue();
            if (!next.IsDone) { Draw(next); }
        }
    }

    private void Draw(ClientExchange exchange)
    {
        if (Lane.HasEnded)
        {
            exchange.Abandon();
            return;
        }
        var strict = !Lane.Settings.AllowsMessageIdReuse && !exchange.IsFollowUp;
        switch (_messageIds.TryNext(Lane.Now, strict, out var messageId, out var retryAt))
        {
            case MessageIdOutcome.Exhausted when retryAt - Lane.Now > Lane.Settings.MessageIdWait.Ticks:
                exchange.Fail(new CoapBusyException(
                    $"No message ID towards {Key.Peer} is out of quarantine for {TimeSpan.FromTicks(retryAt - Lane.Now).TotalSeconds:0.#} s; " +
                    $"65,536 IDs in EXCHANGE_LIFETIME are 265 messages a second (RFC 7252, section 4.4). " +
                    "Use more local ports, or allow their reuse."));
                return;
            case MessageIdOutcome.Exhausted:
                exchange.WaitUntil(retryAt);
                return;
            case MessageIdOutcome.Reused:
                Lane.Metrics.ReusedMessageIds++;
                break;
        }
        exchange.Start(messageId);
    }

    private static int EstimatedSize(ClientExchange exchange) =>
        4 + Token.InlineLength + exchange.Options.Wire.Length + exchange.Payload.Length;

    private void Rest()
    {
        Deadline = Lane.Now + Lane.Settings.Transmission.ExchangeLifetime.Ticks;
        Lane.Schedule(this);
    }
}
