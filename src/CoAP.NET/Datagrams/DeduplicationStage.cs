using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP.Datagrams;

/// <summary>
/// Passes each confirmable and non-confirmable message on once. A duplicate gets the same answer again, or is dropped (RFC 7252, section 4.5).
/// </summary>
internal sealed class DeduplicationStage(DatagramLane lane, int maxAnswerSize) : InlineStage<ReceivedMessage, ReceivedMessage>
{
    private readonly byte[] _again = new byte[maxAnswerSize];

    /// <summary>Answers that are sent again unchanged.</summary>
    public Output<Frame> Replays => field ??= Port<Frame>();

    /// <summary>Acknowledgements that are sent again.</summary>
    public Output<OutgoingMessage> Reactions => field ??= Port<OutgoingMessage>();

    protected override void Process(in ReceivedMessage item)
    {
        var message = item.Message;
        if (message.Type > MessageType.NonConfirmable || message.Code.IsEmpty)
        {
            Out.Emit(item);
            return;
        }
        var check = Check(item, out var ticket);
        if (check == DuplicateCheck.NewWithReusedId) { lane.Metrics[LaneCounters.PeersReusingMessageIds]++; }
        if (check is DuplicateCheck.New or DuplicateCheck.NewWithReusedId) { PassOn(item, ticket); }
        else if (check == DuplicateCheck.Full) { lane.Metrics[LaneCounters.DroppedForOverload]++; }
        else
        {
            lane.Metrics[LaneCounters.Duplicates]++;
            if (check == DuplicateCheck.Acknowledged) { Reactions.Emit(EmptyMessages.Acknowledge(item.Key, message.MessageId)); }
            else if (check == DuplicateCheck.Answered) { Replay(item, ticket); }
            else { lane.Metrics[LaneCounters.IgnoredDuplicates]++; }
        }
    }

    private DuplicateCheck Check(in ReceivedMessage item, out Ticket ticket)
    {
        var (channel, message) = (lane.Deduplication.HashOf(item.Key, item.Credentials?.Key), item.Message);
        var isConfirmable = message.Type == MessageType.Confirmable;
        return lane.Deduplication.Check(
            channel, message.MessageId, isConfirmable, item.Frame.Bytes.Span, lane.Now, out ticket, lane.HasVerified(item.Key.Peer));
    }

    private void PassOn(in ReceivedMessage item, Ticket ticket)
    {
        try { Out.Emit(new ReceivedMessage(item.Frame, item.Message) { Ticket = ticket, Hops = item.Hops }); }
        catch (Exception) // A stage failed before the request could be answered, so a retransmission counts as new.
        {
            lane.Deduplication.Forget(ticket);
            throw;
        }
    }

    // The answer may have been sent while the address was verified. It is sent again only if the limits of the address still allow it.
    private void Replay(in ReceivedMessage item, Ticket ticket)
    {
        var length = lane.Deduplication.CopyAnswer(ticket, _again);
        if (lane.Addresses is { } addresses && length > addresses.MinAllowance
            && length > addresses.AllowanceFor(item.Key.Peer, item.Frame.Bytes.Length))
        {
            lane.Metrics[LaneCounters.LimitedAnswers]++;
            return;
        }
        Replays.Emit(new Frame(item.Key, _again.AsMemory(0, length)));
    }
}
