using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Blockwise;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Freshness;
using CoAP.Groups;
using CoAP.Observing;
using CoAP.Options;
using CoAP.Resources;
using CoAP.Robust;
using CoAP.Serialization;
using CoAP.Stateless;
using CoAP.Streams;
using CoAP.Transports;

namespace CoAP.Mesh;

/// <summary>The stages of one lane and all links between them. Messages move along links only.</summary>
/// <remarks>
/// <code>
/// transport ──► deserialize ──► deduplicate ──► match ──► check ──► freshen ──► robust ──► blocks ──► observe ──► handle
/// transport ◄── serialize ◄── reply ◄── (leisure) ◄── limit ◄── suppress ◄── blocks ◄── robust ◄── notify ◄──────┘
/// </code>
/// A stage that a lane does not need is <see langword="null"/>. The arrow then leads from the stage before it to the stage after it.
/// </remarks>
internal sealed class LaneMesh : IDisposable
{
    private readonly ExchangeLane _lane;
    private readonly DatagramLane? _datagrams;
    private readonly StreamLane? _streams;
    private readonly LaneBuilder _builder;
    private readonly StatelessResponses? _stateless;
    private readonly RobustBodyStore? _robustBodies;

    private readonly AdmissionStage _admit;
    private readonly DeserializerStage _deserialize;
    private readonly DeduplicationStage? _deduplicate;
    private readonly IPropagatorBlock<ReceivedMessage, ReceivedMessage> _match;
    private readonly Output<OutgoingMessage> _matchReactions;
    private readonly RequestStage _check;
    private readonly RequestFailures _failures;
    private readonly FreshnessStage _freshen;
    private readonly RobustRequestStage? _robustRequests;
    private readonly RequestBodyStage _requestBodies;
    private readonly ObserveStage _observe;
    private readonly GroupGateStage? _gate;
    private readonly RequestHandler _handle;
    private readonly NotifyStage _notify;
    private readonly RobustResponseStage? _robustResponses;
    private readonly ResponseBodyStage _responseBodies;
    private readonly NoResponseStage _suppress = new();
    private readonly AmplificationStage? _limit;
    private readonly ReplyStage _reply = new();
    private readonly LeisureStage? _leisure;
    private readonly SerializerStage _serialize;
    private readonly SinkStage<Frame> _transmit;

    public LaneMesh(ExchangeLane lane, EndpointParts endpoint)
    {
        var (settings, pipeline) = (endpoint.Settings, endpoint.Pipeline);
        (_lane, _datagrams, _streams, _builder) = (lane, lane as DatagramLane, lane as StreamLane, new LaneBuilder(lane, settings.Links));
        var understood = lane.IsReliable ? endpoint.UnderstoodOnStreams : endpoint.UnderstoodOnDatagrams;
        CoapMessageSerializer serializer = lane.IsReliable ? endpoint.Streams : endpoint.Datagrams;
        var bodies = new ServedBodyStore(lane, settings.ServerTransfers);
        Groups = new GroupRequestTable(lane, settings.MaxGroupRequests);
        if (settings.Tokens is { } tokens) { _stateless = new StatelessResponses(lane, tokens); }
        _failures = new RequestFailures(lane);
        AddFeatures(settings);

        _admit = new AdmissionStage(lane);
        _deserialize = new DeserializerStage(lane, serializer);
        (_match, _matchReactions) = CreateMatching(understood, _stateless is null ? [Groups] : [Groups, _stateless]);
        _check = new RequestStage(lane, understood, RequestsOf(lane), _failures);
        _freshen = new FreshnessStage(lane, pipeline, endpoint.Echoes);
        _requestBodies = new RequestBodyStage(lane, pipeline, bodies);
        Observers = new ObserverRegistry(lane, pipeline, settings.ServerObservations, endpoint.Observers, endpoint.Journal);
        _observe = new ObserveStage(Observers, pipeline);
        _handle = new RequestHandler(lane, pipeline);
        _notify = new NotifyStage(Observers);
        _responseBodies = new ResponseBodyStage(lane, bodies);
        _serialize = new SerializerStage(lane, serializer, _datagrams?.Deduplication);
        _transmit = new SinkStage<Frame>(lane.Transmit);
        if (_datagrams is { } datagrams)
        {
            if (pipeline.HasResources) { lane.Addresses = new AddressVerification(lane, settings.Amplification, endpoint.Echoes); }
            _deduplicate = new DeduplicationStage(datagrams, settings.Deduplication.MaxAnswerSize);
            _limit = new AmplificationStage(lane);
            if (settings.ServedGroups is { } groups) { (_gate, _leisure) = (new GroupGateStage(pipeline), new LeisureStage(datagrams, groups)); }
            if (settings.RobustTransfers.AcceptsFromPeers)
            {
                _robustBodies = new RobustBodyStore(lane, bodies, settings.RobustTransfers);
                (_robustRequests, _robustResponses) = (new RobustRequestStage(lane, pipeline, _robustBodies), new RobustResponseStage(lane, _robustBodies));
            }
        }
        LinkStages(endpoint);
        lane.Own(this);
    }

    /// <summary>Creates a lane over datagram sockets, with its stages.</summary>
    public static DatagramLane Over(IDatagramTransport transport, EndpointParts endpoint, out LaneMesh mesh)
    {
        var settings = endpoint.Settings;
        var lane = new DatagramLane(endpoint.Lane, endpoint.Exchanges, settings.Deduplication, transport, hearsGroups: settings.ServedGroups is not null);
        mesh = new LaneMesh(lane, endpoint);
        return lane;
    }

    /// <summary>The requests to groups that wait for responses.</summary>
    public GroupRequestTable Groups { get; }

    /// <summary>The clients that observe resources of this endpoint over the lane.</summary>
    public ObserverRegistry Observers { get; }

    /// <summary>Completes when the last stage has completed.</summary>
    public Task Completion => _transmit.Completion;

    private void AddFeatures(CoapEndpointSettings settings)
    {
        var blocks = new BlockTransfers(settings.ClientTransfers);
        _lane.Transfers = _lane.IsReliable ? blocks : new RobustTransfers(blocks, settings.RobustTransfers);
        _lane.Features.Set(new ObservationEnvironment(settings.ClientObservations, settings.TimeProvider, _lane.Logger));
        _lane.Features.Set(_failures);
    }

    private (IPropagatorBlock<ReceivedMessage, ReceivedMessage> Stage, Output<OutgoingMessage> Reactions) CreateMatching(
        OptionRegistry understood, IResponseTaker[] takers)
    {
        if (_datagrams is { } datagrams)
        {
            var byMessageId = new MatchingStage(datagrams, understood, takers);
            return (byMessageId, byMessageId.Reactions);
        }
        var byToken = new StreamMatchingStage(_lane, understood, takers);
        return (byToken, byToken.Reactions);
    }

    private void LinkStages(EndpointParts endpoint)
    {
        LinkRequests();
        LinkAnswers();
        LinkMessages();
        if (_streams is { } streams) { LinkSignals(streams, endpoint); }
    }

    // transport ──► handlers
    private void LinkRequests()
    {
        _builder.Link(MeshArrow.FramesIn, _admit, _lane.Incoming);
        _builder.Link(MeshArrow.AdmittedFrames, _deserialize, _admit);
        var newMessages = _builder.Lead(MeshArrow.NewMessages, _match);
        var received = _deduplicate ?? newMessages;
        _builder.Link(MeshArrow.MessagesIn, received, _deserialize);
        _builder.Link(MeshArrow.HandedOver, received, _datagrams?.HandedOver);
        if (_deduplicate is { } deduplicate) { Join(deduplicate, newMessages); }
        _builder.Link(MeshArrow.RequestMessages, _check, _match);
        _builder.Link(MeshArrow.UnderstoodRequests, _freshen, _check);
        var afterRobust = _builder.Lead(MeshArrow.RobustRequests, _requestBodies);
        _builder.Link(MeshArrow.FreshRequests, _robustRequests ?? afterRobust, _freshen);
        if (_robustRequests is { } robustRequests) { Join(robustRequests, afterRobust); }
        _builder.Link(MeshArrow.Requests, _observe, _requestBodies);
        var handlerRequests = _builder.Lead(MeshArrow.HandlerRequests, _handle);
        Join(_observe, _gate ?? handlerRequests);
        if (_gate is { } gate) { Join(gate, handlerRequests); }
        _builder.Link(MeshArrow.ObserverRequests, _handle, Observers.Requests);
        if (_stateless is { } stateless) { _builder.Link(MeshArrow.StatelessResponses, DataflowBlock.NullTarget<StatelessResponse>(), stateless.Out); }
    }

    // handlers ──► replies
    private void LinkAnswers()
    {
        _builder.Link(MeshArrow.Answers, _notify, _handle, _handle.Late, _gate?.Refusals);
        var afterRobust = _builder.Lead(MeshArrow.RobustAnswers, _responseBodies);
        _builder.Link(MeshArrow.ObservedAnswers, _robustResponses ?? afterRobust, _notify, Observers.Answers);
        if (_robustResponses is { } robustResponses) { Join(robustResponses, afterRobust); }
        Join(_requestBodies.Streamed, afterRobust);
        _builder.Link(
            MeshArrow.SizedAnswers, _suppress,
            _responseBodies, _responseBodies.Read, _robustResponses?.Served, _robustRequests?.Answers, _requestBodies.Answers, _freshen.Answers,
            _check.Refusals);
        if (_leisure is { } leisure) { Join(leisure, _reply); }
        var allowed = _builder.Lead(MeshArrow.AllowedAnswers, _leisure ?? (ITargetBlock<Answer>)_reply);
        _builder.Link(MeshArrow.WantedAnswers, _limit ?? allowed, _suppress);
        if (_limit is { } limit) { Join(limit, allowed); }
        Join(_failures.Out, allowed);
    }

    // replies ──► transport
    private void LinkMessages()
    {
        var messagesOut = _builder.Lead(MeshArrow.MessagesOut, _serialize);
        _builder.Link(MeshArrow.Replies, messagesOut, _reply);
        _builder.Link(
            MeshArrow.Reactions, messagesOut,
            _deserialize.Reactions, _deduplicate?.Reactions, _matchReactions, _check.Reactions, _robustRequests?.Reactions, _suppress.Reactions);
        _builder.Link(MeshArrow.OwnRequests, messagesOut, _lane.Requests);
        _builder.Link(MeshArrow.LateMessages, messagesOut, _lane.LateMessages);
        _builder.Link(MeshArrow.Notifications, messagesOut, Observers.Notifications);
        _builder.Link(MeshArrow.RobustBlocks, messagesOut, _robustBodies?.Blocks);
        _builder.Link(MeshArrow.SignalsOut, messagesOut, _streams?.SignalsOut);
        var framesOut = _builder.Lead(MeshArrow.FramesOut, _transmit);
        Join(_serialize, framesOut);
        _builder.Link(MeshArrow.Replays, framesOut, _deduplicate?.Replays);
    }

    // connections ──► connections
    private void LinkSignals(StreamLane streams, EndpointParts endpoint)
    {
        var deserialize = new DeserializerStage(_lane, endpoint.Streams);
        _builder.Link(MeshArrow.SignalFrames, deserialize, streams.Signals);
        var signals = new SinkStage<ReceivedMessage>(static (in item) => ((StreamChannel)item.Frame.Link!).OnSignal(item.Message));
        _builder.Link(MeshArrow.SignalsIn, signals, deserialize);
    }

    /// <summary>Completes the sources of the lane. Completion then runs down the links to the last stage.</summary>
    public void Dispose()
    {
        ReadOnlySpan<IDataflowBlock?> sources =
        [
            _lane.Incoming, _datagrams?.HandedOver, _streams?.Signals, _streams?.SignalsOut, _lane.Requests, _lane.LateMessages, _failures.Out,
            Observers.Requests, Observers.Answers, Observers.Notifications, _robustBodies?.Blocks, _stateless?.Out,
        ];
        foreach (var source in sources) { source?.Complete(); }
        _builder.CompleteIdle();
    }

    private static RequestStage.Create RequestsOf(ExchangeLane lane) => lane is DatagramLane datagrams
        ? (in item) => new DatagramRequest(datagrams, item)
        : static (in item) => new StreamRequest((StreamChannel)item.Frame.Link!, item.Message);

    private static void Join<T>(ISourceBlock<T> source, ITargetBlock<T> target) =>
        source.LinkTo(target, new DataflowLinkOptions { PropagateCompletion = true });
}
