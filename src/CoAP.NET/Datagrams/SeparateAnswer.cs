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

    public SeparateAnswer(ExchangeLane lane, in OutgoingMessage outgoing)
    {
        (_lane, _outgoing) = (lane, outgoing with { Request = null });     // retransmissions must not hold the request
        _retransmission = _lane.Channels.TryFind(Key, out var channel)
            ? channel.StartTimer(lane.Settings.Transmission)
            : Retransmission.Fixed(lane.Now, lane.Settings.Transmission, lane.Random.NextDouble());
    }

    public ChannelKey Key => _outgoing.Key;

    public MessageId MessageId => _outgoing.Message.MessageId;

    public Token Token => _outgoing.Message.Token;

    /// <summary>The registration that is revoked if the peer rejects or does not acknowledge the answer (RFC 7641, section 4.5).</summary>
    public IRegistration? Registration { get; init; }

    /// <summary>The account that was charged until the answer is settled, and the book; <see langword="null"/> if none was.</summary>
    public (LedgerBook Book, Account Account)? Charged { get; init; }

    /// <summary>Called when the answer is settled, with whether the peer has acknowledged it.</summary>
    public Action<bool>? Ended { get; init; }

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
            throw;
        }
    }

    public void OnDeadline()
    {
        switch (_retransmission.Poll(_lane.Now))
        {
            case RetransmissionStep.Fail:
                _lane.Metrics[LaneCounters.UnacknowledgedAnswers]++;
                Fail();
                return;
            case RetransmissionStep.Send:
                _lane.Metrics[LaneCounters.Retransmissions]++;
                _lane.LateMessages.Emit(_outgoing);
                break;
        }
        _lane.Schedule(this);
    }

    public void OnAcknowledged()
    {
        if (_lane.Channels.TryFind(Key, out var channel)) { channel.Measure(_retransmission); }
        Settle();
        Ended?.Invoke(true);
    }

    public void OnReset() => Fail();

    public void OnNetworkError(SocketError error) => Fail();

    /// <summary>Sends the answer no more, and reports nothing.</summary>
    public void Stop() => Settle();

    private void Fail()
    {
        Settle();
        Registration?.Revoke();
        Ended?.Invoke(false);
    }

    private void Settle()
    {
        if (!_isSettled && Charged is { } charged) { charged.Book.Release(charged.Account); }
        _isSettled = true;
        _retransmission.Settle();
        _lane.Unschedule(this);
        _lane.Exchanges.RemoveUnsettled(this);
        _lane.Settle(Key, MessageId);
    }
}
