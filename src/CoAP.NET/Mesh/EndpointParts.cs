using CoAP.Accounting;
using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Freshness;
using CoAP.Lanes;
using CoAP.Observing;
using CoAP.Options;
using CoAP.Resources;
using CoAP.Serialization;
using CoAP.Vocabulary;

namespace CoAP.Mesh;

/// <summary>The settings and objects that all lanes of an endpoint share.</summary>
internal sealed class EndpointParts
{
    // These options need OSCORE or EDHOC. A server without them answers 4.02 (RFC 7252, section 5.4.1; RFC 8613, section 8.2).
    private static readonly int[] NeedALayer = [Oscore.Declaration.Number, Edhoc.Declaration.Number];

    // An endpoint supports both or neither (RFC 9177, section 4.1).
    private static readonly int[] QBlock = [QBlock1.Declaration.Number, QBlock2.Declaration.Number];

    /// <param name="settings">The settings of the endpoint.</param>
    /// <param name="resources">The mapped resources; <see langword="null"/> for a client without resources.</param>
    /// <param name="steps">The user's steps, the outermost first.</param>
    /// <param name="stopping">Canceled when the endpoint stops.</param>
    /// <param name="events">Tells users which channels open and close; <see langword="null"/> if nobody can subscribe.</param>
    public EndpointParts(
        CoapEndpointSettings settings, ResourceMap? resources, IReadOnlyList<ServerStep> steps, CancellationToken stopping,
        ChannelEvents? events = null)
    {
        var log = settings.CreateLog();
        Security = settings.Security?.Open(settings.TimeProvider);
        if (Security is { } security) { settings.Runtime.ShareScheduler(security.RunBy); }
        (Settings, Exchanges, Ledger) = (settings, settings.ForExchanges(Security?.Overhead ?? 0), settings.CreateLedger(log));
        Pipeline = new HandlerPipeline(resources, steps, settings.ForHandlers(log), Ledger, stopping);
        Authorization = new EndpointAuthorization(Pipeline, settings.AuthorizationTimeout, settings.Runtime);
        Lane = settings.ForLanes(Pipeline) with { Events = events };
        if (events is not null) { events.Log = log; }
        Echoes = new EndpointEchoes(settings.Freshness, settings.TimeProvider, settings.Runtime);
        Responses = new ResponseBudget(settings.ClientTransfers.MaxTotalResponseSize);
        if (settings.ObserverStore is { } store) { Journal = new ObserverJournal(store, Lane.Log, settings.TimeProvider); }
        (Datagrams, Streams) = (new DatagramSerializer(settings.Options), new StreamSerializer(settings.Options));
        UnderstoodOnStreams = settings.Options.Without([.. NeedALayer, .. QBlock]);
        UnderstoodOnDatagrams = settings.RobustTransfers.AcceptsFromPeers ? settings.Options.Without(NeedALayer) : UnderstoodOnStreams;
    }

    public CoapEndpointSettings Settings { get; }

    /// <summary>The security layer for datagrams; <see langword="null"/> if there is none.</summary>
    public DatagramSecurityLayer? Security { get; }

    public HandlerPipeline Pipeline { get; }

    public EndpointAuthorization Authorization { get; }

    public LaneSettings Lane { get; }

    public ExchangeSettings Exchanges { get; }

    /// <summary>The ledger of the endpoint: how much of each limit its peers hold.</summary>
    public Ledger Ledger { get; }

    public EndpointEchoes Echoes { get; }

    /// <summary>The budget for the unfinished response bodies of all lanes.</summary>
    public ResponseBudget Responses { get; }

    /// <summary>Keeps observations across a restart; <see langword="null"/> if they are not kept.</summary>
    public ObserverJournal? Journal { get; }

    public DatagramSerializer Datagrams { get; }

    public StreamSerializer Streams { get; }

    /// <summary>The options that messages in datagrams may have.</summary>
    public OptionRegistry UnderstoodOnDatagrams { get; }

    /// <summary>The options that messages over connections may have.</summary>
    public OptionRegistry UnderstoodOnStreams { get; }
}
