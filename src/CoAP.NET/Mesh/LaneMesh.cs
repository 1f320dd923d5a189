using System.Threading.Tasks.Dataflow;
using CoAP.Blockwise;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Freshness;
using CoAP.Groups;
using CoAP.Observing;
using CoAP.Robust;
using CoAP.Streams;
using CoAP.Transports;
using static CoAP.MeshArrow;

namespace CoAP.Mesh;

/// <summary>All links between the stages of one lane.</summary>
/// <remarks>
/// <code>
/// transport ──► deserialize ──► deduplicate ──► match ──► check ──► freshen ──► authorize ──► robust ──► blocks ──► observe ──► (gate) ──► handle
/// transport ◄── serialize ◄── reply ◄── (leisure) ◄── limit ◄── suppress ◄── blocks ◄── robust ◄── notify ◄────────────────────┘
///
/// callers ──► window ──► add echo ──► send requests ──► serialize ──► transport
/// callers ◄── take responses ◄── retry with echo ◄── match ◄── … ◄── transport
/// </code>
/// Items travel along links only. They come from the sources of the lane, which are linked like stages: the transport, the requests of clients, late
/// messages, notifications, robust blocks and failures. Each line names an arrow, the stage to which it leads, and where it starts. If a lane does not
/// need a stage, the arrow leads to the next one.
/// </remarks>
internal sealed class LaneMesh : IDisposable
{
    private readonly LaneBuilder _builder;

    /// <param name="lane">The lane.</param>
    /// <param name="endpoint">What the lanes share.</param>
    /// <param name="traffic">The datagrams of the lane, if it has a security layer.</param>
    public LaneMesh(ExchangeLane lane, EndpointParts endpoint, LaneTraffic traffic = LaneTraffic.Any)
    {
        var failures = new RequestFailures(lane);
        _builder = new LaneBuilder(lane, failures, endpoint.Settings.Links);
        if (!lane.IsReliable && traffic != LaneTraffic.Plain) { endpoint.Security?.Build(_builder, isSecuredOnly: traffic == LaneTraffic.Secured); }
        var stages = new LaneStages(lane, endpoint, failures);
        (Groups, Observers, Observing, Completion) = (stages.Groups, stages.Observers, stages.Observing, stages.Transmit.Completion);
        AddFeatures(lane, endpoint);
        LinkRequests(lane, _builder, stages);
        LinkAsking(lane, _builder, stages);
        LinkAnswers(_builder, stages);
        LinkMessages(lane, _builder, stages);
        if (stages.Streams is { } streams) { LinkSignals(streams, _builder, stages); }
        lane.Own(this);
    }

    /// <summary>Creates a lane over datagram sockets, with its stages.</summary>
    public static DatagramLane Over(IDatagramTransport transport, EndpointParts endpoint, out LaneMesh mesh, LaneTraffic traffic = LaneTraffic.Any)
    {
        var settings = endpoint.Settings;
        var lane = new DatagramLane(endpoint.Lane, endpoint.Exchanges, endpoint.Ledger, settings.Deduplication, transport, hearsGroups: settings.ServedGroups is not null)
        {
            RequestServices = settings.ServicesOfRequests,
        };
        if (traffic != LaneTraffic.Plain && endpoint.Security is { } security)
        {
            // Asked for each request. To read the name of a peer takes memory, and a lane for secured traffic has no other peers.
            lane.IsSecured = traffic == LaneTraffic.Secured ? static _ => true : peer => security.LaneOf(peer, 1) is not null;
        }
        mesh = new LaneMesh(lane, endpoint, traffic);
        return lane;
    }

    /// <inheritdoc cref="LaneStages.Groups"/>
    public GroupRequestTable Groups { get; }

    /// <inheritdoc cref="LaneStages.Observers"/>
    public ObserverRegistry Observers { get; }

    /// <inheritdoc cref="LaneStages.Observing"/>
    public ObservingLane Observing { get; }

    /// <summary>Completes when the last stage has completed.</summary>
    public Task Completion { get; }

    // transport ──► handlers
    private static void LinkRequests(ExchangeLane lane, LaneBuilder mesh, LaneStages stages)
    {
        mesh.Link(DatagramsIn, mesh.Link(FramesIn, stages.Admit), mesh.Source(lane.Incoming));
        mesh.Link(AdmittedFrames, stages.Deserialize, stages.Admit);
        var received = LaneBuilder.Before(stages.Deduplicate, mesh.Link(NewMessages, stages.Match));
        mesh.Link(MessagesIn, received, stages.Deserialize);
        mesh.Link(HandedOver, received, mesh.Source(stages.Datagrams?.HandedOver));
        mesh.Link(RequestMessages, stages.Check, stages.Match);
        mesh.Link(UnderstoodRequests, stages.Freshen, stages.Check);
        mesh.Link(FreshRequests, stages.Authorize, stages.Freshen);
        mesh.Link(AuthorizedRequests, LaneBuilder.Before(stages.RobustRequests, mesh.Link(RobustRequests, stages.RequestBodies)), stages.Authorize);
        mesh.Link(Requests, stages.Observe, stages.RequestBodies);
        mesh.Link(ObservedRequests, LaneBuilder.Before(stages.Gate, mesh.Link(HandlerRequests, stages.Handle)), stages.Observe);
        mesh.Link(ObserverRequests, stages.Handle, mesh.Source(stages.Observing.Requests));
        mesh.Link(StatelessResponses, DataflowBlock.NullTarget<StatelessResponse>(), mesh.Source(stages.Stateless?.Out));
    }

    // callers ──► own requests, and matched responses ──► callers
    private static void LinkAsking(ExchangeLane lane, LaneBuilder mesh, LaneStages stages)
    {
        mesh.Link(AskedRequests, stages.Window, mesh.Source(lane.Asked));
        mesh.Link(AdmittedRequests, stages.AddEcho, mesh.Source(lane.Admitted));
        mesh.Link(EchoedRequests, stages.SendRequests, stages.AddEcho);
        mesh.Link(MatchedResponses, stages.RetryWithEcho, stages.Match.Responses, mesh.Source(stages.Groups.Responses));
        mesh.Link(Responses, stages.TakeResponses, stages.RetryWithEcho);
    }

    // handlers ──► replies
    private static void LinkAnswers(LaneBuilder mesh, LaneStages stages)
    {
        mesh.Link(MeshArrow.Answers, stages.Notify, stages.Handle, stages.Handle.Late, stages.Gate?.Refusals);
        var robustAnswers = mesh.Link(RobustAnswers, stages.ResponseBodies, stages.RequestBodies.Streamed);
        mesh.Link(ObservedAnswers, LaneBuilder.Before(stages.RobustResponses, robustAnswers), stages.Notify, mesh.Source(stages.Observing.Answers));
        mesh.Link(
            SizedAnswers, stages.Suppress,
            stages.ResponseBodies, stages.ResponseBodies.Read, stages.RobustResponses?.Served, stages.RobustRequests?.Answers,
            stages.RequestBodies.Answers, stages.Authorize.Refusals, stages.Freshen.Answers, stages.Check.Refusals, mesh.Source(stages.Streams?.Refusals));
        var dueAnswers = LaneBuilder.Before(stages.Leisure, mesh.Link(DueAnswers, stages.Reply));
        var allowedAnswers = mesh.Link(AllowedAnswers, dueAnswers, mesh.Source(stages.Failures.Out));
        mesh.Link(WantedAnswers, LaneBuilder.Before(stages.Limit, allowedAnswers), stages.Suppress);
    }

    // replies ──► transport
    private static void LinkMessages(ExchangeLane lane, LaneBuilder mesh, LaneStages stages)
    {
        var messagesOut = mesh.Link(MessagesOut, stages.Serialize);
        mesh.Link(Replies, messagesOut, stages.Reply);
        mesh.Link(
            Reactions, messagesOut,
            stages.Deserialize.Reactions, stages.Deduplicate?.Reactions, stages.Match.Reactions, stages.Check.Reactions,
            stages.RobustRequests?.Reactions, stages.Suppress.Reactions);
        mesh.Link(OwnRequests, messagesOut, mesh.Source(lane.Requests));
        mesh.Link(LateMessages, messagesOut, mesh.Source(lane.LateMessages));
        mesh.Link(Notifications, messagesOut, mesh.Source(stages.Observing.Notifications));
        mesh.Link(RobustBlocks, messagesOut, mesh.Source(stages.RobustBodies?.Blocks));
        mesh.Link(SignalsOut, messagesOut, mesh.Source(stages.Streams?.SignalsOut));
        var framesOut = mesh.Link(FramesOut, mesh.Link(DatagramsOut, stages.Transmit), stages.Serialize);
        mesh.Link(Replays, framesOut, stages.Deduplicate?.Replays);
    }

    // connections ──► connections
    private static void LinkSignals(StreamLane lane, LaneBuilder mesh, LaneStages stages)
    {
        lane.Failures = stages.Failures;
        mesh.Link(SignalFrames, stages.DeserializeSignals, mesh.Source(lane.Signals));
        mesh.Link(SignalsIn, stages.TakeSignals, stages.DeserializeSignals);
    }

    /// <summary>Completes the sources of the lane. Completion then runs down the links to the last stage.</summary>
    public void Dispose() => _builder.Complete();

    private static void AddFeatures(ExchangeLane lane, EndpointParts endpoint)
    {
        var settings = endpoint.Settings;
        var blocks = new BlockTransfers(settings.ClientTransfers, endpoint.Responses);
        lane.Transfers = lane.IsReliable ? blocks : new RobustTransfers(blocks, settings.RobustTransfers, endpoint.Exchanges);
        if (!lane.IsReliable && endpoint.Pipeline.HasResources)
        {
            lane.Addresses = new AddressVerification(lane, settings.Amplification, endpoint.Echoes);
        }
        var environment = new ObservationEnvironment(settings.ClientObservations, settings.TimeProvider, lane.Log, lane.Runtime);
        lane.Streams = (channel, request) => request.Shape == AnswerShape.Raw
            ? new RawAnswers(channel, request)
            : new ObservationAnswers(request, new ChannelObservationConnector(channel, request), environment, store: null);
    }
}
