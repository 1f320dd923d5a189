using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The endpoint settings that exchanges, channels and messages use.</summary>
internal sealed record ExchangeSettings
{
    /// <summary>Whether the endpoint is a client. Its channels end when it is disposed, those of a server when it is stopped.</summary>
    public required bool IsClient { get; init; }

    /// <summary>Returns the error of a call that was in progress when the endpoint ended.</summary>
    public CoapTransportException EndError() => IsClient ? CoapTransportException.ClientEnded() : CoapTransportException.ServerEnded();

    public required TransmissionParameters Transmission { get; init; }

    public required CongestionMode Congestion { get; init; }

    public required OptionRegistry Options { get; init; }

    /// <summary>The formats of typed payloads.</summary>
    public required PayloadFormats Formats { get; init; }

    /// <summary>What traces contain, and whether their context is sent and trusted.</summary>
    public TelemetrySettings Telemetry { get; init; } = new();

    /// <summary>The largest datagram, in bytes.</summary>
    public required int MaxSendSize { get; init; }

    /// <summary>The longest token accepted in a request, in bytes.</summary>
    public required int MaxTokenLength { get; init; }

    /// <summary>The most segments of the path of a request.</summary>
    public required int MaxPathSegments { get; init; }

    /// <summary>The longest path of a request, in bytes.</summary>
    public required int MaxPathLength { get; init; }

    /// <summary>The most arguments in the query of a request.</summary>
    public required int MaxQueryArguments { get; init; }

    /// <summary>The payload size, in bytes, from which a connection sends a payload from the caller's memory instead of copying it.</summary>
    public required int LargeMessageSize { get; init; }

    public required int MaxQueuedRequests { get; init; }

    public required int MaxPendingRequests { get; init; }

    public required TimeSpan ResponseTimeout { get; init; }

    /// <summary>The longest time for which a request makes no progress.</summary>
    public required TimeSpan RequestIdleTimeout { get; init; }

    /// <summary>The longest time that a call may take; <see langword="null"/> if it is not limited.</summary>
    public required TimeSpan? Timeout { get; init; }

    /// <summary>The lowest rate of the bodies of this endpoint's requests and their responses, in bytes per second.</summary>
    public required int MinRate { get; init; }

    /// <summary>How far a body may fall behind the lowest rate.</summary>
    public required TimeSpan RateWindow { get; init; }

    public required TimeSpan AcknowledgeAfter { get; init; }

    /// <summary>The longest time that a body which is still arriving keeps other requests to its path waiting.</summary>
    public required TimeSpan MaxBodyTurn { get; init; }

    public required bool AllowsMessageIdReuse { get; init; }

    public required TimeSpan MaxMessageIdWait { get; init; }

    /// <summary>The most local ports that a lane opens when the message IDs of the others are used up.</summary>
    public required int MaxFurtherPorts { get; init; }

    /// <summary>How long the Echo value of a peer is added to requests to that peer (RFC 9175, section 2.3).</summary>
    public required TimeSpan EchoLifetime { get; init; }
}
