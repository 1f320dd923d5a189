using CoAP.Exchanges;
using CoAP.Resources;

namespace CoAP.Observing;

/// <summary>What all observations of resources over a lane share: settings, the outputs, and the call of handlers.</summary>
/// <param name="lane">The lane of the observers.</param>
/// <param name="pipeline">Routes restored observations.</param>
/// <param name="authorization">The authorizers.</param>
/// <param name="settings">The limits and the form of notifications.</param>
/// <param name="exchanges">The settings of the messages that carry notifications.</param>
/// <param name="journal">Stores observations across a restart; <see langword="null"/> if they are not stored.</param>
/// <param name="numbers">The numbers with which representations begin.</param>
/// <param name="failures">Ends requests of the endpoint to itself that make a stage fail.</param>
internal sealed class ObservingLane(
    ExchangeLane lane, HandlerPipeline pipeline, EndpointAuthorization authorization, ServerObservationSettings settings, ExchangeSettings exchanges,
    ObserverJournal? journal, RepresentationNumbers numbers, RequestFailures failures)
{
    public ExchangeLane Lane => lane;

    public HandlerPipeline Pipeline => pipeline;

    public EndpointAuthorization Authorization => authorization;

    public ServerObservationSettings Settings => settings;

    public ExchangeSettings Exchanges => exchanges;

    public ObserverJournal? Journal => journal;

    public RepresentationNumbers Numbers => numbers;

    /// <summary>The source of requests that the endpoint sends to its own handlers.</summary>
    public Output<IncomingRequest> Requests { get; } = new();

    /// <summary>The source of representations for observers.</summary>
    public Output<Answer> Answers { get; } = new();

    /// <summary>The source of notifications that are ready to be sent.</summary>
    public Output<OutgoingMessage> Notifications { get; } = new();

    /// <summary>Calls the handler on behalf of observers.</summary>
    public void Ask(IncomingRequest request, IAnswerTaker taker)
    {
        var repeated = request.RepeatFor(taker);
        if (request.Telemetry?.ForNotification() is { } telemetry) { repeated.Telemetry = telemetry; }
        lane.Current = repeated;
        try { Requests.Emit(repeated); }
        catch (Exception exception) // A request of the endpoint to itself that makes a stage fail ends here.
        {
            failures.Fail(repeated, exception);
        }
        lane.Current = null;
    }
}
