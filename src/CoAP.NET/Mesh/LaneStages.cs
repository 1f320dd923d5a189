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

namespace CoAP.Mesh;

/// <summary>The stages of one lane and the state that they share. Each is created on first use.</summary>
/// <remarks>A stage that the lane does not need is <see langword="null"/>.</remarks>
internal sealed class LaneStages(ExchangeLane lane, EndpointParts endpoint, RequestFailures failures)
{
    private readonly CoapEndpointSettings _settings = endpoint.Settings;
    private readonly HandlerPipeline _pipeline = endpoint.Pipeline;
    private readonly OptionRegistry _understood = lane.IsReliable ? endpoint.UnderstoodOnStreams : endpoint.UnderstoodOnDatagrams;
    private readonly CoapMessageSerializer _serializer = lane.IsReliable ? endpoint.Streams : endpoint.Datagrams;

    /// <summary>The lane, if it uses datagram sockets.</summary>
    public DatagramLane? Datagrams { get; } = lane as DatagramLane;

    /// <summary>The lane, if it uses connections.</summary>
    public StreamLane? Streams { get; } = lane as StreamLane;

    /// <summary>The requests to groups that wait for responses.</summary>
    public GroupRequestTable Groups { get; } = new(lane, endpoint.Exchanges, endpoint.Settings.MaxGroupRequests);

    /// <summary>The clients that observe resources of this endpoint over the lane.</summary>
    public ObserverRegistry Observers => field ??= new(Observing);

    /// <summary>What the observations of clients share.</summary>
    public ObservingLane Observing { get; } =
        new(lane, endpoint.Pipeline, endpoint.Authorization, endpoint.Settings.ServerObservations, endpoint.Exchanges, endpoint.Journal,
            new RepresentationNumbers(lane, endpoint.Settings.TimeProvider.GetUtcNow(), isLimited: !lane.IsReliable), failures);

    /// <summary>The responses to stateless requests.</summary>
    public StatelessResponses? Stateless { get; } = endpoint.Settings.Tokens is { } tokens ? new(lane, tokens) : null;

    /// <summary>The bodies that peers transfer robustly.</summary>
    public RobustBodyStore? RobustBodies => field ??= Datagrams is not null && _settings.RobustTransfers.AcceptsFromPeers
        ? new(lane, Bodies, _settings.RobustTransfers, endpoint.Exchanges.Transmission)
        : null;

    /// <summary>Ends the requests that make a stage fail.</summary>
    public RequestFailures Failures => failures;

    public AdmissionStage Admit => field ??= new(lane);

    public DeserializerStage Deserialize => field ??= new(lane, _serializer);

    public DeduplicationStage? Deduplicate => field ??= Datagrams is { } datagrams ? new(datagrams, _settings.Deduplication.MaxAnswerSize) : null;

    public MatchingStage Match => field ??= Datagrams is { } datagrams
        ? new DatagramMatchingStage(datagrams, _understood, Takers, Observers)
        : new StreamMatchingStage(lane, _understood, Takers);

    public WindowStage Window { get; } = new();

    public EchoStage AddEcho => field ??= new();

    public SinkStage<OutgoingRequest> SendRequests { get; } = new(static (in item) => item.Sender.Send(item));

    public EchoRetryStage RetryWithEcho => field ??= new();

    public SinkStage<IncomingResponse> TakeResponses { get; } = new(static (in item) => item.Owner.Complete(item.Message, item.Key));

    public RequestStage Check => field ??= new(lane, endpoint.Exchanges, _understood, CreateRequest(), failures);

    public FreshnessStage Freshen => field ??= new(lane, _pipeline, endpoint.Echoes);

    public AuthorizationStage Authorize => field ??= new(
        lane, endpoint.Authorization, new RememberedDecisions(lane, _settings.Transmission.ExchangeLifetime), PartialBodies, failures);

    public RobustRequestStage? RobustRequests => field ??= RobustBodies is { } bodies ? new(lane, _pipeline, bodies) : null;

    public RequestBodyStage RequestBodies => field ??= new(lane, _pipeline, Bodies, failures);

    public ObserveStage Observe => field ??= new(Observers, _pipeline);

    public GroupGateStage? Gate => field ??= Datagrams is not null && _settings.ServedGroups is not null ? new(_pipeline) : null;

    public HandlerStage Handle => field ??= new(lane, _pipeline, failures);

    public NotifyStage Notify => field ??= new(lane, Observers);

    public RobustResponseStage? RobustResponses => field ??= RobustBodies is { } bodies ? new(lane, endpoint.Authorization, bodies, Observers) : null;

    public ResponseBodyStage ResponseBodies => field ??= new(lane, Bodies, failures);

    public NoResponseStage Suppress => field ??= new(lane, Observers);

    public AmplificationStage? Limit => field ??= Datagrams is not null ? new(lane, endpoint.Exchanges.Transmission) : null;

    public ReplyStage Reply => field ??= new(lane, Observers);

    public LeisureStage? Leisure => field ??= Datagrams is { } datagrams && _settings.ServedGroups is { } groups
        ? new(datagrams, groups, endpoint.Exchanges.Transmission, failures)
        : null;

    public SerializerStage Serialize => field ??= new(lane, endpoint.Exchanges, _serializer, Datagrams?.Deduplication);

    public SinkStage<Frame> Transmit { get; } = new(lane.Transmit);

    public DeserializerStage DeserializeSignals => field ??= new(lane, _serializer);

    public SinkStage<ReceivedMessage> TakeSignals { get; } = new(static (in item) => item.Frame.Link!.OnSignal(item.Message));

    private ServedBodyStore Bodies => field ??= new(lane, _settings.ServerTransfers, endpoint.Exchanges.Transmission);

    private IPartialBodies PartialBodies => RobustBodies is { } robust ? robust : Bodies;

    private IResponseTaker[] Takers => Stateless is null ? [Groups] : [Groups, Stateless];

    private RequestStage.Create CreateRequest() => Datagrams is { } datagrams
        ? (in item) => new DatagramRequest(datagrams, item)
        : static (in item) => new StreamRequest((StreamChannel)item.Frame.Link!, item.Message);
}
