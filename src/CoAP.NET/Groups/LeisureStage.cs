using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;
using CoAP.Resources;

namespace CoAP.Groups;

/// <summary>
/// Delays answers to multicast requests by a random part of the leisure, so that the members of a group do not answer at the same time
/// (RFC 7252, section 8.2). Suppresses answers that the resource does not send to groups. All other messages pass unchanged.
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

    // A request that was not found, not understood or not allowed has no resource, so its answer is suppressed.
    private static bool IsUseful(IRoutedRequest request, CoapMessage response) =>
        (request.Route as Dispatch)?.Resource?.Features.Find<MulticastRule>() is { } rule
        && rule.Allows(request.Method)
        && rule.Answers switch
        {
            // RFC 9175, section 2.4: a challenge makes the sender repeat the request to this member before it gets a large answer.
            _ when response.Code == ResponseCode.Unauthorized && (response.Options.Seen & EchoBit) != 0 => true,
            MulticastAnswers.Useful => response.Code.IsSuccess && !response.Payload.IsEmpty,
            MulticastAnswers.Successes => response.Code.IsSuccess,
            _ => true,
        };

    private long Pick(CoapMessage response)
    {
        var size = (int)MessageLimits.SizeOf(response.Options, response.Payload.Length, isReliable: false);
        var leisure = settings.LeisureFor(size, lane.Settings.Transmission.DefaultLeisure);
        return Leisure.Pick(leisure.Ticks, lane.Random.NextDouble());
    }

    // The request has been handled but gets no answer. Its duplicates are ignored, and deduplication may forget it.
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
