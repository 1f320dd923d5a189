using System.Diagnostics.CodeAnalysis;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP;

/// <summary>An arrow of the mesh, which is a link between two stages. You can link your own blocks into it.</summary>
/// <typeparam name="T">The type of the items on the arrow.</typeparam>
public sealed class MeshArrow<T>
{
    internal MeshArrow(
        string name, Func<T, T>? keep = null, Action<ExchangeLane, T>? drop = null, Action<RequestFailures, T, Exception>? fail = null,
        Func<T, object?>? ownerOf = null)
    {
        OwnerOf = ownerOf;
        (Name, Keep, Drop) = (name, keep ?? (static item => item), drop ?? (static (_, _) => { }));
        EndsFailures = fail is not null;
        Fail = fail ?? ((failures, _, exception) => failures.Log.LaneWorkFailed(exception, name));
    }

    /// <summary>The name of the arrow.</summary>
    public string Name { get; }

    /// <summary>Copies an item, so that it stays valid after the call.</summary>
    internal Func<T, T> Keep { get; }

    /// <summary>Releases the resources of a dropped item. Called on the lane.</summary>
    internal Action<ExchangeLane, T> Drop { get; }

    /// <summary>
    /// Returns what stays open until the item is passed on, dropped or failed: a request, or the observation that an error ends. <see langword="null"/> if
    /// nothing does.
    /// </summary>
    internal Func<T, object?>? OwnerOf { get; }

    /// <summary>Whether <see cref="Fail"/> ends the item, and does not only write a log line.</summary>
    internal bool EndsFailures { get; }

    /// <summary>Ends an item if a later stage throws an exception. Called on the lane.</summary>
    internal Action<RequestFailures, T, Exception> Fail { get; }

    /// <summary>Returns the name of the arrow.</summary>
    public override string ToString() => Name;
}

/// <summary>The arrows, in the order in which a request and its response pass them.</summary>
public static class MeshArrow
{
    /// <summary>From the sockets: received datagrams before a security layer opens them. On connections, the same as <see cref="FramesIn"/>.</summary>
    public static MeshArrow<Frame> DatagramsIn { get; } = Frames("datagrams in");

    /// <summary>From the transport: the bytes of every received message.</summary>
    public static MeshArrow<Frame> FramesIn { get; } = Frames("frames in");

    /// <summary>From admission: frames for which the lane has room.</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<Frame> AdmittedFrames { get; } = Frames("admitted frames");

    /// <summary>From the deserializer: every well-formed message, including duplicates.</summary>
    public static MeshArrow<ReceivedMessage> MessagesIn { get; } = Messages("messages in");

    /// <summary>From other lanes on the same port: messages that they could not match.</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<ReceivedMessage> HandedOver { get; } = Messages("messages handed over");

    /// <summary>From deduplication: messages that are not duplicates (RFC 7252, section 4.5). On connections, all messages.</summary>
    public static MeshArrow<ReceivedMessage> NewMessages { get; } = Messages("new messages");

    /// <summary>From matching: messages that are requests.</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<ReceivedMessage> RequestMessages { get; } = Messages("request messages");

    /// <summary>From the check of options: requests whose critical options are all understood.</summary>
    public static MeshArrow<IncomingRequest> UnderstoodRequests { get; } = Requested("understood requests");

    /// <summary>From the freshness check: requests that are fresh enough (RFC 9175).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<IncomingRequest> FreshRequests { get; } = Requested("fresh requests");

    /// <summary>From authorization: requests that the authorizers allow.</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<IncomingRequest> AuthorizedRequests { get; } = Requested("authorized requests");

    /// <summary>From robust transfers: requests without Q-Block1, and requests whose Q-Block1 body is complete (RFC 9177).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<IncomingRequest> RobustRequests { get; } = Requested("requests after robust transfers");

    /// <summary>From block-wise transfers: requests with their whole body or with a body stream (RFC 7959).</summary>
    public static MeshArrow<IncomingRequest> Requests { get; } = Requested("requests");

    /// <summary>From observing: requests of clients, before the check of requests to groups (RFC 7252, section 8).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<IncomingRequest> ObservedRequests { get; } = Requested("observed requests");

    /// <summary>To the handlers: requests of clients.</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<IncomingRequest> HandlerRequests { get; } = Requested("handler requests");

    /// <summary>From observing to the handlers: requests that the endpoint makes to itself to get notifications (RFC 7641).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<IncomingRequest> ObserverRequests { get; } = Requested("observer requests");

    /// <summary>From the handlers: responses to requests.</summary>
    public static MeshArrow<Answer> Answers { get; } = Answered("answers");

    /// <summary>From observing: answers with their sequence numbers, and notifications (RFC 7641).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<Answer> ObservedAnswers { get; } = Answered("observed answers");

    /// <summary>From robust transfers: answers that do not use Q-Block2 (RFC 9177).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<Answer> RobustAnswers { get; } = Answered("answers after robust transfers");

    /// <summary>From block-wise transfers: answers that fit into a message, and refusals of earlier stages.</summary>
    public static MeshArrow<Answer> SizedAnswers { get; } = Answered("sized answers");

    /// <summary>From suppression: answers that the client wants (RFC 7967).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<Answer> WantedAnswers { get; } = Answered("wanted answers");

    /// <summary>From the amplification limit: answers that may be sent to the peer (RFC 9175, section 2.4).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<Answer> AllowedAnswers { get; } = Answered("allowed answers");

    /// <summary>From leisure: answers that are due. Answers to a group have waited for their leisure (RFC 7252, section 8.2).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<Answer> DueAnswers { get; } = Answered("due answers");

    /// <summary>From replies: the first messages with answers. Retransmissions are late messages.</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<OutgoingMessage> Replies { get; } = Outgoing("replies");

    /// <summary>From the message layer: acknowledgements and Resets that are sent in reaction to received messages.</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<OutgoingMessage> Reactions { get; } = Outgoing("reactions");

    /// <summary>
    /// From callers: each request of this endpoint, once. A body in blocks is a request for each block, an observation one for each
    /// registration.
    /// </summary>
    public static MeshArrow<OutgoingRequest> AskedRequests { get; } = Asked("asked requests");

    /// <summary>From the window: requests of this endpoint that the limits of their peer allow (RFC 7252, section 4.7).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<OutgoingRequest> AdmittedRequests { get; } = Asked("admitted requests");

    /// <summary>From echo: requests of this endpoint with the Echo value of their peer, before they are sent (RFC 9175).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<OutgoingRequest> EchoedRequests { get; } = Asked("requests with echo");

    /// <summary>From matching: responses to requests of this endpoint, notifications included (RFC 7252, section 5.3.2).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<IncomingResponse> MatchedResponses { get; } = Responded("matched responses");

    /// <summary>To callers: responses to requests of this endpoint, but for those that ask for an Echo value (RFC 9175).</summary>
    public static MeshArrow<IncomingResponse> Responses { get; } = Responded("responses");

    /// <summary>To the serializer: the messages with requests of this endpoint, and their retransmissions.</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<OutgoingMessage> OwnRequests { get; } = Outgoing("own requests");

    /// <summary>From late answers: empty acknowledgements, separate responses and their retransmissions.</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<OutgoingMessage> LateMessages { get; } = Outgoing("late messages");

    /// <summary>From observing: notifications and their retransmissions (RFC 7641).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<OutgoingMessage> Notifications { get; } = Outgoing("notifications");

    /// <summary>From robust transfers: blocks that are sent at scheduled times (RFC 9177).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<OutgoingMessage> RobustBlocks { get; } = Outgoing("robust blocks");

    /// <summary>To the serializer: every message that is sent.</summary>
    public static MeshArrow<OutgoingMessage> MessagesOut { get; } = Outgoing("messages out");

    /// <summary>From deduplication: frames that are sent again for a duplicate (RFC 7252, section 4.5).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<Frame> Replays { get; } = Frames("replays");

    /// <summary>To the transport: the bytes of every message that is sent.</summary>
    public static MeshArrow<Frame> FramesOut { get; } = Frames("frames out");

    /// <summary>To the sockets: datagrams that a security layer has protected. On connections, the same as <see cref="FramesOut"/>.</summary>
    public static MeshArrow<Frame> DatagramsOut { get; } = Frames("datagrams out");

    /// <summary>From connections: frames of signaling messages (RFC 8323, section 5).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<Frame> SignalFrames { get; } = Frames("signal frames");

    /// <summary>To connections: received signaling messages (RFC 8323, section 5).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<ReceivedMessage> SignalsIn { get; } = Messages("signals in");

    /// <summary>From connections: signaling messages that are sent (RFC 8323, section 5).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<OutgoingMessage> SignalsOut { get; } = Outgoing("signals out");

    /// <summary>In a client: responses to stateless requests (RFC 8974, section 3).</summary>
    [Experimental(Experiment.Arrow, Message = Experiment.ArrowMessage)]
    public static MeshArrow<StatelessResponse> StatelessResponses { get; } = new("stateless responses");

    private static MeshArrow<Frame> Frames(string name) => new(name, static frame => frame.Keep());

    private static MeshArrow<ReceivedMessage> Messages(string name) =>
        new(name, static message => message.Keep(), static (lane, message) => lane.Forget(message.Ticket));

    private static MeshArrow<IncomingRequest> Requested(string name) => new(
        name, drop: static (_, request) => request.Drop(wasHandled: false), fail: static (failures, request, exception) => failures.Fail(request, exception),
        ownerOf: static request => request);

    private static MeshArrow<OutgoingRequest> Asked(string name) => new(
        name,
        drop: static (_, request) => request.Sender.Fail(new CoapTransportException($"A stage dropped the request to {request.Key.Peer}.")),
        fail: static (_, request, exception) =>
            request.Sender.Fail(CoapTransportException.StageFailed("request to", request.Key.Peer, exception)),
        ownerOf: static request => request.Sender);

    private static MeshArrow<IncomingResponse> Responded(string name) => new(
        name,
        drop: static (_, response) =>
        {
            // Without a response, a call fails. An observation and a group go on with the next one.
            if (response.Owner is ClientExchange exchange)
            {
                exchange.Fail(new CoapTransportException($"A stage dropped the response of {response.Key.Peer}."));
            }
        },
        fail: static (_, response, exception) =>
            response.Owner.Fail(CoapTransportException.StageFailed("response of", response.Key.Peer, exception)));

    private static MeshArrow<Answer> Answered(string name) => new(
        name,
        drop: static (_, answer) =>
        {
            Lose(answer);
            if (answer.Sender is null) { answer.Request.Drop(wasHandled: true); }
        },
        fail: static (failures, answer, exception) =>
        {
            Lose(answer);
            if (answer.Sender is null) { failures.Fail(answer.Request, exception); }
            else { failures.Log.RequestFailed(exception, answer.Request); }
        },
        ownerOf: static answer => answer.Sender is null ? answer.Request : answer.Response.IsSuccess ? null : answer.Sender);

    // The client does not get the answer. A lost notification is replaced by the next one, but a lost error would leave an observation without an end.
    private static void Lose(in Answer answer)
    {
        answer.Response.CloseSource();
        if (answer.Request.End is null) { answer.Registration?.Revoke(); }
        if (!answer.Response.IsSuccess) { answer.Sender?.Revoke(); }
    }

    private static MeshArrow<OutgoingMessage> Outgoing(string name) => new(name, drop: static (lane, message) =>
    {
        if (message.Retention is { } retention) { lane.Retain(message.Key, message.Ticket, retention); }
    });
}
