using System.Net.Sockets;
using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP.Datagrams;

/// <summary>A response in a separate confirmable message. It is retransmitted until the client acknowledges it (RFC 7252, section 5.2.2).</summary>
internal sealed class SeparateAnswer : ILaneDeadline, IUnsettled
{
    private readonly ExchangeLane _lane;
    private readonly OutgoingMessage _outgoing;
    private Retransmission _retransmission;
    private bool _isSettled;
    private int _transmissions = 1;

    /// <param name="lane">The lane.</param>
    /// <param name="outgoing">The message with the answer.</param>
    /// <param name="started">The timer of a message that the answer replaces; <see langword="null"/> if it replaces none.</param>
    public SeparateAnswer(ExchangeLane lane, in OutgoingMessage outgoing, Retransmission? started = null)
    {
        (_lane, _outgoing, Began) = (lane, outgoing with { Request = null }, lane.Now);     // retransmissions must not hold the request
        _retransmission = started ?? (_lane.Channels.TryFind(Key, out var channel)
            ? channel.StartTimer(lane.Settings.Transmission)
            : Retransmission.Fixed(lane.Now, lane.Settings.Transmission, lane.Random.NextDouble()));
    }

    public ChannelKey Key => _outgoing.Key;

    public MessageId MessageId => _outgoing.Message.MessageId;

    public Token Token => _outgoing.Message.Token;

    /// <summary>When the answer was created, before its first transmission.</summary>
    public long Began { get; }

    /// <summary>The registration that is revoked if the peer rejects or does not acknowledge the answer (RFC 7641, section 4.5).</summary>
    public IRegistration? Registration { get; init; }

    /// <summary>The account that was charged until the answer is settled, and the book; <see langword="null"/> if none was.</summary>
    public (LedgerBook Book, Account Account)? Charged { get; init; }

    /// <summary>
    /// How often the answer may be sent to an address that may be forged (RFC 9175, section 2.4, item 3). Later retransmissions count as lost. 0 if there
    /// is no limit.
    /// </summary>
    public int MaxTransmissions { get; init; }

    /// <summary>Called when the answer is settled, except by <see cref="Stop"/>.</summary>
    public Action<AnswerOutcome>? Ended { get; init; }

    public long Deadline => _retransmission.Deadline;

    public int QueueIndex { get; set; }

    // The output of the stage carries the first transmission only. A timer sends the others, so they have a source of their own.
    public void Start(Output<OutgoingMessage> output, IOpenRequest? request = null)
    {
        _lane.Exchanges.AddUnsettled(this);
        _lane.Schedule(this);
        try { output.Emit(_outgoing with { Request = request }); }
        catch
        {
            Settle();   // the request gets another answer
            Ended?.Invoke(AnswerOutcome.Rejected);
            throw;
        }
    }

    public void OnDeadline()
    {
        switch (_retransmission.Poll(_lane.Now))
        {
            case RetransmissionStep.Fail:
                _lane.Metrics[LaneCounters.UnacknowledgedAnswers]++;
                Fail(AnswerOutcome.Unheard);
                return;
            case RetransmissionStep.Send:
                SendAgain();
                break;
        }
        _lane.Schedule(this);
    }

    public void OnAcknowledged()
    {
        if (_lane.Channels.TryFind(Key, out var channel)) { channel.Measure(_retransmission); }
        Settle();
        Ended?.Invoke(AnswerOutcome.Acknowledged);
    }

    public void OnReset() => Fail(AnswerOutcome.Rejected);

    public void OnNetworkError(SocketError error) => Fail(AnswerOutcome.Unheard);

    /// <summary>Sends the answer no more, and reports nothing.</summary>
    public void Stop() => Settle();

    private void SendAgain()
    {
        if (MaxTransmissions > 0 && _transmissions >= MaxTransmissions)
        {
            _lane.Metrics[LaneCounters.LimitedAnswers]++;
            return;
        }
        _transmissions++;
        _lane.Metrics[LaneCounters.Retransmissions]++;
        _lane.LateMessages.Emit(_outgoing);
    }

    private void Fail(AnswerOutcome outcome)
    {
        if (_isSettled) { return; }
        Settle();
        Registration?.Revoke();
        Ended?.Invoke(outcome);
    }

    private void Settle()
    {
        if (_isSettled) { return; }
        _isSettled = true;
        if (Charged is { } charged) { charged.Book.Release(charged.Account); }
        _retransmission.Settle();
        _lane.Unschedule(this);
        _lane.Exchanges.RemoveUnsettled(this);
        _lane.Settle(Key, MessageId);
    }
}
