using CoAP.Blocks;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP.Datagrams;

/// <summary>Handles each confirmable and non-confirmable message once; duplicates get the same answer again, or silence (RFC 7252, section 4.5).</summary>
internal sealed class DeduplicationStage(LaneContext lane, Deduplication deduplication) : InlineStage<ReceivedMessage, ReceivedMessage>
{
    private readonly byte[] _again = new byte[lane.Settings.Deduplication.MaxAnswerSize];

    /// <summary>Answers that go out once more, as they were.</summary>
    public Output<Frame> Replays { get; } = new();

    public override void Complete()
    {
        base.Complete();
        Replays.Complete();
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
        var check = deduplication.Check(item.Key, message.MessageId, isConfirmable, item.Frame.Bytes.Span, lane.Now, out var ticket);
        switch (check)
        {
            case DuplicateCheck.New:
                Out.Emit(new ReceivedMessage(item.Frame, message) { Ticket = ticket, Hops = item.Hops });
                return;
            case DuplicateCheck.NewWithReusedId:
                lane.Metrics.PeersReusingMessageIds++;
                Out.Emit(new ReceivedMessage(item.Frame, message) { Ticket = ticket, Hops = item.Hops });
                return;
            case DuplicateCheck.Full:
                lane.Metrics.DroppedForOverload++;
                return;
            case DuplicateCheck.Acknowledged:
                lane.Send(Reactions.Acknowledge(item.Key, message.MessageId));
                break;
            case DuplicateCheck.Answered:
                Replay(item, ticket);
                break;
        }
        lane.Metrics.Duplicates++;
    }

    // What was sent to an address that has been verified since then goes there once more only as long as it still is.
    private void Replay(in ReceivedMessage item, Ticket ticket)
    {
        var length = deduplication.CopyAnswer(ticket, _again);
        if (lane.Addresses is { } addresses && length > addresses.LeastAllowance
            && length > addresses.AllowanceFor(item.Key.Peer, item.Frame.Bytes.Length))
        {
            lane.Metrics.LimitedAnswers++;
            return;
        }
        Replays.Emit(new Frame(item.Key, _again.AsMemory(0, length)));
    }
}
