using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Datagrams;

/// <summary>
/// Delivers acknowledgements, Resets and responses to their exchanges, answers pings, and passes requests on
/// (RFC 7252, sections 4.2, 4.3 and 5.3.2).
/// </summary>
/// <param name="lane">The lane.</param>
/// <param name="understood">The options that a message may have.</param>
/// <param name="takers">Process the responses that match no exchange.</param>
/// <param name="guesses">Counts the acknowledgements and Resets that match no message.</param>
internal sealed class DatagramMatchingStage(
    DatagramLane lane, OptionRegistry understood, IReadOnlyList<IResponseTaker> takers, IMessageIdGuesses guesses)
    : MatchingStage(understood, takers)
{
    protected override void Process(in ReceivedMessage item)
    {
        var message = item.Message;
        // An acknowledgement carries a response or is empty, and a Reset is empty. Others are ignored (RFC 7252, sections 4.2 and 4.3).
        if ((message.Type == MessageType.Acknowledgement && !message.Code.IsResponse && !message.Code.IsEmpty)
            || (message.Type == MessageType.Reset && !message.Code.IsEmpty))
        {
            lane.Metrics[LaneCounters.Unmatched]++;
            return;
        }
        if (lane.Channels.TryFind(item.Key, out var channel)) { ((DatagramChannel)channel).Heard(); }
        if (message.Type == MessageType.Acknowledgement) { OnAcknowledgement(item); }
        else if (message.Type == MessageType.Reset)
        {
            if (lane.Exchanges.TryFind(message.MessageId, item.Key, out var rejected))
            {
                lane.Watches.OnReset(rejected);
                rejected.OnReset();
            }
            else
            {
                guesses.OnWrongReset(item.Key, message.MessageId);
                HandOverOrCount(item);
            }
        }
        else if (message.Code.IsRequest) { Out.Emit(item); }
        else if (message.Code.IsResponse) { OnSeparateResponse(item); }
        else if (message.Type == MessageType.Confirmable && message.Code.IsEmpty)
        {
            Reactions.Emit(EmptyMessages.Reset(item.Key, message.MessageId));    // a ping (RFC 7252, section 4.3)
        }
    }

    private void OnAcknowledgement(in ReceivedMessage item)
    {
        var message = item.Message;
        if (!lane.Exchanges.TryFind(message.MessageId, item.Key, out var unsettled))
        {
            guesses.OnWrongAcknowledgement(item.Key, message.MessageId);
            if (!message.Code.IsResponse || !TryGive(item, IsUnderstood(item))) { HandOverOrCount(item); }
            return;
        }
        // The peer has the message even if its response is invalid, so the retransmission ends.
        unsettled.OnAcknowledged();
        if (!message.Code.IsResponse || unsettled is not ITokenOwner owner || unsettled.Token != message.Token) { return; }
        VerifyByToken(item);
        Deliver(lane, owner, item);
    }

    private void OnSeparateResponse(in ReceivedMessage item)
    {
        var message = item.Message;
        var isUnderstood = IsUnderstood(item);
        if (lane.Exchanges.TryFind(message.Token, item.Key, out var owner))
        {
            VerifyByToken(item);
            Settle(item, isUnderstood || owner.IsRaw);
            Deliver(lane, owner, item);
        }
        else if (TryGive(item, isUnderstood)) { Settle(item, isUnderstood); }
        else if (!HandOverOrCount(item))
        {
            Reactions.Emit(EmptyMessages.Reset(item.Key, message.MessageId) with { Ticket = item.Ticket, Retention = RetentionClass.Safe });
        }
    }

    // Only the receiver of a request knows its token of 64 random bits. A message ID of 16 bits can be guessed, so it verifies nothing.
    private void VerifyByToken(in ReceivedMessage item)
    {
        if (item.Message.TokenInPlace.Length >= Token.InlineLength) { lane.Addresses?.Verify(item.Key.Peer); }
    }

    // Acknowledges a confirmable response, or rejects it with a Reset if it is not understood.
    private void Settle(in ReceivedMessage item, bool isUnderstood)
    {
        var message = item.Message;
        var reaction = isUnderstood ? EmptyMessages.Acknowledge(item.Key, message.MessageId) : EmptyMessages.Reset(item.Key, message.MessageId);
        if (message.Type != MessageType.Confirmable) { lane.Retain(item.Key, item.Ticket, RetentionClass.Safe); }
        else { Reactions.Emit(reaction with { Ticket = item.Ticket, Retention = RetentionClass.Safe }); }
    }

    // The system can deliver a response to another lane than the one that sent the request.
    private bool HandOverOrCount(in ReceivedMessage item)
    {
        if (lane.TryHandOver(item))
        {
            lane.Forget(item.Ticket);
            return true;
        }
        lane.Metrics[LaneCounters.Unmatched]++;
        return false;
    }
}
