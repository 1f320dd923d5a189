using CoAP.Reliability;

namespace CoAP.Datagrams;

/// <summary>Handles each confirmable and non-confirmable message once; duplicates get the same answer again, or silence (RFC 7252, section 4.5).</summary>
internal sealed class DeduplicationStage(DatagramLane lane, int maxAnswerSize) : InlineStage<ReceivedMessage, ReceivedMessage>
{
    private readonly byte[] _again = new byte[maxAnswerSize];

    /// <summary>Answers that go out once more, as they were.</summary>
    public Output<Frame> Replays { get; } = new();

    /// <summary>Acknowledgements that are sent again.</summary>
    public Output<OutgoingMessage> Reactions { get; } = new();

    protected override void OnCompleted()
    {
        base.OnCompleted();
        Replays.Complete();
        Reactions.Complete();
    }

    protected override void Process(in ReceivedMessage item)
    {
        var message = item.Message;
        if (message.Type > MessageType.NonConfirmable || message.Code.IsEmpty)
        {
            Out.Emit(item);
            return;
        }
        var isConfirmable = message.Type == MessageType.Confirmable;
        var check = lane.Deduplication.Check(item.Key, message.MessageId, isConfirmable, item.Frame.Bytes.Span, lane.Now, out var ticket);
        switch (check)
        {
            case DuplicateCheck.New:
                PassOn(item, ticket);
                return;
            case DuplicateCheck.NewWithReusedId:
                lane.Metrics.PeersReusingMessageIds++;
                PassOn(item, ticket);
                return;
            case DuplicateCheck.Full:
                lane.Metrics.DroppedForOverload++;
                return;
            case DuplicateCheck.Acknowledged:
                Reactions.Emit(Exchanges.Reactions.Acknowledge(item.Key, message.MessageId));
                break;
            case DuplicateCheck.Answered:
                Replay(item, ticket);
                break;
        }
        lane.Metrics.Duplicates++;
    }

    private void PassOn(in ReceivedMessage item, Ticket ticket)
    {
        try { Out.Emit(new ReceivedMessage(item.Frame, item.Message) { Ticket = ticket, Hops = item.Hops }); }
        catch (Exception) // A stage failed before there was a request that could be answered: the retransmission is a new one.
        {
            lane.Deduplication.Forget(ticket);
            throw;
        }
    }

    // What was sent to an address that has been verified since then goes there once more only as long as it still is.
    private void Replay(in ReceivedMessage item, Ticket ticket)
    {
        var length = lane.Deduplication.CopyAnswer(ticket, _again);
        if (lane.Addresses is { } addresses && length > addresses.LeastAllowance
            && length > addresses.AllowanceFor(item.Key.Peer, item.Frame.Bytes.Length))
        {
            lane.Metrics.LimitedAnswers++;
            return;
        }
        Replays.Emit(new Frame(item.Key, _again.AsMemory(0, length)));
    }
}
