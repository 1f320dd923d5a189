using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Resources;
using CoAP.Streams;
using CoAP.Vocabulary;

namespace CoAP.Mesh;

/// <summary>Creates the settings of each part of an endpoint.</summary>
internal static class PartSettings
{
    /// <summary>The smallest size of messages in bytes.</summary>
    public const int LeastSendSize = 64;

    extension(CoapEndpointSettings settings)
    {
        /// <summary>Creates the log of an endpoint.</summary>
        public EndpointLog CreateLog() => new(new CategoryLogger(settings.LoggerFactory), settings.TimeProvider);

        /// <summary>Creates the ledger of an endpoint.</summary>
        public Ledger CreateLedger(EndpointLog log) => new(settings.Ledger, settings.ForLedger(), log);

        public HandlerSettings ForHandlers(EndpointLog log) => new(settings.MaxInlinePayload, log, settings.ServedRate, settings.Network?.Scheduler);

        public LaneSettings ForLanes(HandlerPipeline pipeline) => new(settings.TimeProvider, pipeline.Log, pipeline.Stopping, settings.Network?.Scheduler);

        public StreamLaneSettings ForStreamLanes(LaneSettings lane, Ledger ledger) =>
            new(lane, settings.ForExchanges(overhead: 0), ledger, settings.Stream, settings.Tcp.SendTimeout);

        /// <summary>Creates the settings of exchanges.</summary>
        /// <param name="overhead">The bytes of a datagram that messages cannot use.</param>
        public ExchangeSettings ForExchanges(int overhead) => new()
        {
            IsClient = settings.IsClient,
            Transmission = settings.Transmission,
            Congestion = settings.Congestion,
            Options = settings.Options,
            Formats = settings.Formats,
            RequestServices = settings.ServicesOfRequests is { } create ? request => create((IncomingRequest)request) : null,
            Telemetry = settings.Telemetry,
            MaxSendSize = Math.Max(LeastSendSize, settings.MaxSendSize - overhead),
            MaxTokenLength = settings.MaxTokenLength,
            LargeMessageSize = settings.Stream.LargeMessageSize,
            MaxQueuedRequests = settings.MaxQueuedRequests,
            MaxPendingRequests = settings.MaxPendingRequests,
            ResponseTimeout = settings.ResponseTimeout,
            RequestIdleTimeout = settings.RequestIdleTimeout,
            Timeout = settings.CallTimeout,
            MinRate = settings.ClientTransfers.MinRate,
            RateWindow = settings.ClientTransfers.RateWindow,
            AcknowledgeAfter = settings.AcknowledgeAfter,
            AllowsMessageIdReuse = settings.AllowsMessageIdReuse,
            MaxMessageIdWait = settings.MaxMessageIdWait,
            EchoLifetime = settings.Freshness.EchoLifetime,
        };
    }
}
