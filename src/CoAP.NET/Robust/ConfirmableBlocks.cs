using CoAP.Accounting;
using CoAP.Blockwise;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Robust;

/// <summary>
/// Sends the blocks that a confirmable request asks for: the first one in its response, the others in confirmable messages, each after the
/// acknowledgement of the one before it (RFC 9177, sections 4.4 and 7.1).
/// </summary>
/// <remarks>libcoap does not request further blocks after a confirmable request, and does not request missing ones either.</remarks>
internal sealed class ConfirmableBlocks(ExchangeLane lane, RobustResponseBody body, Output<OutgoingMessage> output)
{
    private IEnumerator<int>? _wanted;
    private SeparateAnswer? _outstanding;
    private Token _token;
    private bool _isOfBody;

    /// <summary>Whether a block can be sent now.</summary>
    public bool IsDue => _wanted is not null && _outstanding is null && !IsHeld;

    /// <summary>Whether no block is sent yet, because the message with the first one waits for its acknowledgement.</summary>
    public bool IsHeld { get; set; }

    /// <summary>Takes a request and returns its first block. Returns <see langword="false"/> if the body has no such block of this size.</summary>
    public bool TryBegin(CoapMessage request, out RobustPart first)
    {
        Stop();
        first = default;
        if (body.Serving.Wanted(request)?.GetEnumerator() is not { } wanted || !wanted.MoveNext()) { return false; }
        _token = request.Token;
        _isOfBody = !BlockOption.AsksForMissing(request.Options);
        first = body.Serving.BlockOf(wanted.Current, _token, _isOfBody);
        _wanted = wanted.MoveNext() ? wanted : null;
        return true;
    }

    /// <summary>Sends the next block if it is due.</summary>
    public void Send()
    {
        if (!IsDue) { return; }
        var (book, account) = (lane.Ledger.SeparateAnswers, body.Body.Account);
        // Peers that never acknowledge must not fill the memory. The client can request the rest again.
        if (book.TryCharge(account) != Charge.Accepted)
        {
            Stop();
            return;
        }
        if (!lane.TryNextMessageId(body.Key, out var messageId))
        {
            book.Release(account);
            Stop();
            return;
        }
        var message = body.Serving.BlockOf(_wanted!.Current, _token, _isOfBody).ToMessage(MessageType.Confirmable, messageId);
        _outstanding = new SeparateAnswer(lane, new OutgoingMessage(body.Key, message)) { Charged = (book, account), Ended = OnEnded };
        _outstanding.Start(output);
    }

    /// <summary>Sends no more blocks.</summary>
    public void Stop()
    {
        _outstanding?.Stop();
        (_outstanding, _wanted) = (null, null);
    }

    private void OnEnded(AnswerOutcome outcome)
    {
        _outstanding = null;
        if (outcome != AnswerOutcome.Acknowledged)
        {
            body.OnReset();
            return;
        }
        if (_wanted is { } wanted && !wanted.MoveNext()) { _wanted = null; }
        body.Serving.OnAcknowledged(lane.Now);
        body.OnDeadline();
    }
}
