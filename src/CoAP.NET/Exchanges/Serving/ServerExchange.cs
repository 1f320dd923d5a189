using CoAP.Blocks;
using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>A request whose handler has not answered yet: sends the empty acknowledgement when it takes too long, and brings the answer back to the lane.</summary>
internal sealed class ServerExchange : LaneWork, ILaneDeadline
{
    private readonly LaneContext _lane;
    private readonly Output<Answer> _answers;
    private readonly long _startedAt;
    private CoapResponse? _response;
    private bool _isAcknowledged;
    private bool _isDone;

    public ServerExchange(LaneContext lane, ReceivedRequest request, Output<Answer> answers, bool isAcknowledged = false)
    {
        (_lane, Request, _answers, _isAcknowledged) = (lane, request, answers, isAcknowledged);
        request.Exchange = this;
        _lane.PendingRequests++;
        _startedAt = lane.Now;
        if (isAcknowledged || !request.NeedsAcknowledgement) { return; }
        Deadline = lane.Now + lane.Settings.AcknowledgeAfter.Ticks;
        lane.Schedule(this);
    }

    public ReceivedRequest Request { get; }

    public long Deadline { get; }

    public int QueueIndex { get; set; }

    public void OnDeadline() => Acknowledge();

    /// <summary>Sends the empty acknowledgement, once (RFC 7252, section 5.2.2). On the lane.</summary>
    public void Acknowledge()
    {
        if (_isAcknowledged || _isDone || !Request.NeedsAcknowledgement) { return; }
        _isAcknowledged = true;
        _lane.Unschedule(this);
        var empty = new CoapMessage { Type = MessageType.Acknowledgement, MessageId = Request.Message.MessageId };
        _lane.Send(new OutgoingMessage(Request.Key, empty) { Ticket = Request.Ticket });
    }

    /// <summary>The handler has answered. Any thread, once.</summary>
    public void Answer(CoapResponse response)
    {
        _response = response;
        _lane.Post(this);
    }

    public override void Run()
    {
        _isDone = true;
        _lane.Unschedule(this);
        _lane.PendingRequests--;
        if (CoapMetrics.IsServerDurationWanted)
        {
            CoapMetrics.RecordAnswer(Request.Method, _response!.Code, TimeSpan.FromTicks(_lane.Now - _startedAt));
        }
        _answers.Emit(new Answer(Request, _response!, _isAcknowledged));
    }

    public override void Abandon()
    {
    }
}
