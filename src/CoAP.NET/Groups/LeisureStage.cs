using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;
using CoAP.Resources;

namespace CoAP.Groups;

/// <summary>
/// Holds answers to multicast requests back for a random part of the leisure, and leaves out those of no use, so that a group does not answer
/// with one voice (RFC 7252, section 8.2). All other messages pass.
/// </summary>
internal sealed class LeisureStage(DatagramLane lane, MulticastSettings settings) : InlineStage<OutgoingMessage, OutgoingMessage>
{
    private static readonly ulong EchoBit = OptionNumber.SeenBit(Echo.Declaration.Number);

    private int _pending;

    private ExchangeLane Lane => lane;

    protected override void Process(in OutgoingMessage item)
    {
        if (item.ToMulticast is not { } request)
        {
            Out.Emit(item);
            return;
        }
        if (!IsUseful(request, item.Message))
        {
            lane.Metrics.SuppressedAnswers++;
            Settle(item);
            return;
        }
        if (_pending >= settings.MaxPendingAnswers)
        {
            lane.Metrics.DroppedForOverload++;
            Settle(item);
            return;
        }
        new LateAnswer(this, item, lane.Now + Pick(item.Message)).Start();
    }

    // What was not found, not understood or not allowed has no resource that could ask for an answer.
    private static bool IsUseful(IRoutedRequest request, CoapMessage response) =>
        (request.Route as Dispatch)?.Resource?.Features.Find<MulticastRule>() is { } rule
        && rule.Allows(request.Method)
        && rule.Answers switch
        {
            // RFC 9175, section 2.4: it asks for the request once more, from this member alone, before a large answer goes to its sender.
            _ when response.Code == ResponseCode.Unauthorized && (response.Options.Seen & EchoBit) != 0 => true,
            MulticastAnswers.Useful => response.Code.IsSuccess && !response.Payload.IsEmpty,
            MulticastAnswers.Successes => response.Code.IsSuccess,
            _ => true,
        };

    private long Pick(CoapMessage response)
    {
        var size = 4 + Token.InlineLength + response.Options.Wire.Length + response.Payload.Length;
        var leisure = settings.LeisureFor(size, lane.Settings.Transmission.DefaultLeisure);
        return Leisure.Pick(leisure.Ticks, lane.Random.NextDouble());
    }

    // The request has been handled, though nothing is sent: its duplicates are ignored, and it may be forgotten.
    private void Settle(in OutgoingMessage item) =>
        lane.Deduplication.Retain(item.Ticket, item.Retention ?? RetentionClass.Safe, default, lane.Now);

    private sealed class LateAnswer(LeisureStage stage, OutgoingMessage message, long deadline) : ILaneDeadline
    {
        public long Deadline => deadline;

        public int QueueIndex { get; set; }

        public void Start()
        {
            stage._pending++;
            stage.Lane.PendingRequests++;
            stage.Lane.Schedule(this);
        }

        public void OnDeadline()
        {
            stage._pending--;
            stage.Lane.PendingRequests--;
            stage.Out.Emit(message);
        }
    }
}
