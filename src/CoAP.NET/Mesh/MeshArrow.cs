using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>An arrow of the mesh. Blocks of your own can be linked in at it.</summary>
/// <typeparam name="T">What flows along the arrow.</typeparam>
public sealed class MeshArrow<T>
{
    internal MeshArrow(
        string name, Func<T, T>? keep = null, Action<ExchangeLane, T>? drop = null, Action<ExchangeLane, T, Exception>? fail = null)
    {
        (Name, Keep, Drop) = (name, keep ?? (static item => item), drop ?? (static (_, _) => { }));
        Fail = fail ?? (static (lane, _, exception) => Log.LaneWorkFailed(lane.Logger, exception));
    }

    /// <summary>The name of the arrow, for log lines.</summary>
    public string Name { get; }

    /// <summary>Copies an item that must outlive the call it came with.</summary>
    internal Func<T, T> Keep { get; }

    /// <summary>Releases, on the lane, what an item holds that goes no further.</summary>
    internal Action<ExchangeLane, T> Drop { get; }

    /// <summary>Ends, on the lane, an item that makes a later stage fail.</summary>
    internal Action<ExchangeLane, T, Exception> Fail { get; }

    /// <summary>Returns the name of the arrow.</summary>
    public override string ToString() => Name;
}

/// <summary>The arrows, in the order in which a request and its response pass them.</summary>
public static class MeshArrow
{
    /// <summary>From the transport: bytes about which nothing is known yet.</summary>
    public static MeshArrow<Frame> FramesIn { get; } = Frames("frames in");

    /// <summary>From admission: frames for which the lane has room.</summary>
    public static MeshArrow<Frame> AdmittedFrames { get; } = Frames("admitted frames");

    /// <summary>From the deserializer: every well-formed message, including duplicates.</summary>
    public static MeshArrow<ReceivedMessage> MessagesIn { get; } = Messages("messages in");

    /// <summary>From other lanes of the same port: messages that they could not match.</summary>
    public static MeshArrow<ReceivedMessage> HandedOver { get; } = Messages("messages handed over");

    /// <summary>From deduplication: messages that are not duplicates (RFC 7252, section 4.5). Datagrams only.</summary>
    public static MeshArrow<ReceivedMessage> NewMessages { get; } = Messages("new messages");

    /// <summary>From matching: messages that are requests.</summary>
    public static MeshArrow<ReceivedMessage> RequestMessages { get; } = Messages("request messages");

    /// <summary>From the check of the options: requests whose critical options are understood.</summary>
    public static MeshArrow<IncomingRequest> UnderstoodRequests { get; } = Requested("understood requests");

    /// <summary>From the check of freshness: requests that are fresh enough (RFC 9175).</summary>
    public static MeshArrow<IncomingRequest> FreshRequests { get; } = Requested("fresh requests");

    /// <summary>From robust transfers: requests whose body did not come in Q-Block1, or is whole (RFC 9177).</summary>
    public static MeshArrow<IncomingRequest> RobustRequests { get; } = Requested("requests after robust transfers");

    /// <summary>From block-wise transfers: requests with their whole body, or with a stream (RFC 7959).</summary>
    public static MeshArrow<IncomingRequest> Requests { get; } = Requested("requests");

    /// <summary>From observing to the handlers: requests of clients.</summary>
    public static MeshArrow<IncomingRequest> HandlerRequests { get; } = Requested("handler requests");

    /// <summary>From observing to the handlers: requests that the endpoint puts to itself on behalf of observers (RFC 7641).</summary>
    public static MeshArrow<IncomingRequest> ObserverRequests { get; } = Requested("observer requests");

    /// <summary>From the handlers: responses to requests.</summary>
    public static MeshArrow<Answer> Answers { get; } = Answered("answers");

    /// <summary>From observing: answers with their sequence number, and representations for observers (RFC 7641).</summary>
    public static MeshArrow<Answer> ObservedAnswers { get; } = Answered("observed answers");

    /// <summary>From robust transfers: answers that are not sent in Q-Block2 (RFC 9177).</summary>
    public static MeshArrow<Answer> RobustAnswers { get; } = Answered("answers after robust transfers");

    /// <summary>From block-wise transfers: answers that fit into a message, and refusals of earlier stages.</summary>
    public static MeshArrow<Answer> SizedAnswers { get; } = Answered("sized answers");

    /// <summary>From suppression: answers that the client wants (RFC 7967).</summary>
    public static MeshArrow<Answer> WantedAnswers { get; } = Answered("wanted answers");

    /// <summary>From the limit of amplification: answers that may be sent to the peer (RFC 9175, section 2.4).</summary>
    public static MeshArrow<Answer> AllowedAnswers { get; } = Answered("allowed answers");

    /// <summary>From replies to groups: answers that wait for their time (RFC 7252, section 8.2). Members of a group only.</summary>
    public static MeshArrow<OutgoingMessage> Replies { get; } = Outgoing("replies");

    /// <summary>From the message layer: acknowledgements and Resets that received messages cause at once.</summary>
    public static MeshArrow<OutgoingMessage> Reactions { get; } = Outgoing("reactions");

    /// <summary>From the clients of the endpoint: requests and their retransmissions.</summary>
    public static MeshArrow<OutgoingMessage> OwnRequests { get; } = Outgoing("own requests");

    /// <summary>From late answers: empty acknowledgements, separate responses and their retransmissions.</summary>
    public static MeshArrow<OutgoingMessage> LateMessages { get; } = Outgoing("late messages");

    /// <summary>From observing: notifications and their retransmissions (RFC 7641).</summary>
    public static MeshArrow<OutgoingMessage> Notifications { get; } = Outgoing("notifications");

    /// <summary>From robust transfers: blocks that are sent when their time has come (RFC 9177).</summary>
    public static MeshArrow<OutgoingMessage> RobustBlocks { get; } = Outgoing("robust blocks");

    /// <summary>To the serializer: every message that is sent.</summary>
    public static MeshArrow<OutgoingMessage> MessagesOut { get; } = Outgoing("messages out");

    /// <summary>From deduplication: frames that are sent again for a duplicate (RFC 7252, section 4.5).</summary>
    public static MeshArrow<Frame> Replays { get; } = Frames("replays");

    /// <summary>To the transport: the bytes of every message that is sent.</summary>
    public static MeshArrow<Frame> FramesOut { get; } = Frames("frames out");

    /// <summary>From connections: frames of signaling messages (RFC 8323, section 5).</summary>
    public static MeshArrow<Frame> SignalFrames { get; } = Frames("signal frames");

    /// <summary>To connections: signaling messages (RFC 8323, section 5).</summary>
    public static MeshArrow<ReceivedMessage> SignalsIn { get; } = Messages("signals in");

    /// <summary>From connections: signaling messages that are sent (RFC 8323, section 5).</summary>
    public static MeshArrow<OutgoingMessage> SignalsOut { get; } = Outgoing("signals out");

    /// <summary>In a client: responses to stateless requests (RFC 8974, section 3).</summary>
    public static MeshArrow<StatelessResponse> StatelessResponses { get; } = new("stateless responses");

    private static MeshArrow<Frame> Frames(string name) => new(name, static frame => frame.Keep());

    private static MeshArrow<ReceivedMessage> Messages(string name) => new(name, static message => message.Keep(), static (lane, message) =>
    {
        if (lane is DatagramLane datagrams) { datagrams.Deduplication.Forget(message.Ticket); }
    });

    private static MeshArrow<IncomingRequest> Requested(string name) => new(
        name, drop: static (_, request) => request.Drop(wasHandled: false), fail: static (lane, request, exception) => Fail(lane, request, exception));

    private static MeshArrow<Answer> Answered(string name) => new(name, drop: static (_, answer) =>
    {
        answer.Response.Source?.Stream.Dispose();
        answer.Request.Drop(wasHandled: true);
    }, fail: static (lane, answer, exception) => Fail(lane, answer.Request, exception));

    private static void Fail(ExchangeLane lane, IncomingRequest request, Exception exception) =>
        lane.Features.Get<RequestFailures>().Fail(request, exception);

    private static MeshArrow<OutgoingMessage> Outgoing(string name) => new(name, drop: static (lane, message) =>
    {
        if (lane is DatagramLane datagrams && message.Retention is { } retention) { datagrams.Deduplication.Retain(message.Ticket, retention, default, lane.Now); }
    });
}
