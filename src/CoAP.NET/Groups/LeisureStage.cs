using CoAP.Accounting;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;
using CoAP.Resources;

namespace CoAP.Groups;

/// <summary>
/// Delays answers to multicast requests by a random part of the leisure, so that the members of a group do not answer at the same time
/// (RFC 7252, section 8.2). Suppresses answers that the resource does not send to groups. All other answers and notifications pass unchanged.
/// </summary>
internal sealed class LeisureStage(DatagramLane lane, MulticastSettings settings, TransmissionParameters transmission, RequestFailures failures)
    : InlineStage<Answer, Answer>
{
    private static readonly ulong EchoBit = OptionNumber.SeenBit(Echo.Declaration.Number);
    private static readonly ulong ObserveBit = OptionNumber.SeenBit(Observe.Declaration.Number);

    // The leisure spreads answers over time. If so many wait that some would be dropped, a shorter one is better than no answer.
    private const double ShortestPart = 1.0 / 8;

    private readonly LedgerBook _pending = lane.Ledger.GroupAnswers;
    private readonly WaitingAnswers<LateAnswer> _waiting = new();

    protected override void Process(in Answer item)
    {
        if (!item.Request.IsMulticast || item.Sender is not null)
        {
            Out.Emit(item);
            return;
        }
        var answer = item with { Response = item.Request.Acceptable(item.Response) };
        if (!IsUseful(answer.Request, answer.Response))
        {
            lane.Metrics[LaneCounters.SuppressedAnswers]++;
            answer.Registration?.Revoke();
            answer.Request.Suppress();
        }
        else { Delay(answer); }
    }

    private void Delay(in Answer answer)
    {
        var account = answer.Request.Account;
        var late = new LateAnswer(this, lane, failures, answer, account, lane.Now + Pick(answer, account));
        if (_pending.TryCharge(account) != Charge.Accepted)
        {
            if (_waiting.PickOfLargest(account, lane.Random) is not { } other)
            {
                Drop(answer);
                return;
            }
            other.Remove();     // its charge passes to the new one
            Drop(other.Answer);
        }
        late.Start();
    }

    private void Drop(in Answer answer)
    {
        lane.Metrics[LaneCounters.DroppedForOverload]++;
        answer.Registration?.Revoke();
        answer.Request.Drop(wasHandled: true);
    }

    // A request that was not found, not understood or not allowed has no resource, so its answer is suppressed.
    private static bool IsUseful(IncomingRequest request, CoapResponse response) =>
        request.Route is Dispatch { Resource: { } resource }
        && resource.Features.Find<MulticastRule>() is { } rule
        && rule.Allows(request.Method)
        && rule.Answers switch
        {
            // RFC 9175, section 2.4: a challenge makes the sender repeat the request to this member before it gets a large answer.
            _ when response.Code == ResponseCode.Unauthorized && (response.Options.Seen & EchoBit) != 0 => true,
            // RFC 10020, section 3.7: the client learns from the response whether the member has registered it.
            _ when (request.Options.Seen & ObserveBit) != 0 && request.Method.IsSafe && response.Code.IsSuccess => true,
            // A 2.03 stands for a 2.05 that the client has already.
            MulticastAnswers.Useful => response.Code == ResponseCode.Valid || (response.Code.IsSuccess && !response.Payload.IsEmpty),
            MulticastAnswers.Successes => response.Code.IsSuccess,
            _ => true,
        };

    private long Pick(in Answer answer, in Account account)
    {
        var leisure = settings.LeisureFor(answer.Request.SizeOf(answer.Response), transmission.DefaultLeisure);
        var part = Math.Clamp(2 * _pending.FreePartFor(account), ShortestPart, 1);
        return Leisure.Pick((long)(leisure.Ticks * part), lane.Random.NextDouble());
    }

    private sealed class LateAnswer(
        LeisureStage stage, ExchangeLane lane, RequestFailures failures, Answer answer, Account account, long deadline)
        : WaitingAnswer(new(account, Account.NetworkOf(answer.Request.Peer))), ILaneDeadline
    {
        public Answer Answer => answer;

        public long Deadline => deadline;

        public int QueueIndex { get; set; }

        public void Start()
        {
            lane.OpenRequests.Add(answer.Request);
            stage._waiting.Add(this);
            lane.Schedule(this);
        }

        public void Remove()
        {
            lane.Unschedule(this);
            stage._waiting.Remove(this);
            lane.OpenRequests.Remove(answer.Request);
        }

        public void OnDeadline()
        {
            stage._pending.Release(account);
            Remove();
            try { stage.Out.Emit(answer); }
            catch (Exception exception) // A request whose late answer makes a stage fail ends here. A group gets no 5.00.
            {
                answer.Registration?.Revoke();
                failures.Release(answer.Request, exception);
            }
        }
    }
}
