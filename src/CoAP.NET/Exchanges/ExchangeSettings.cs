using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The settings of an endpoint that its exchanges, channels and messages depend on.</summary>
internal sealed record ExchangeSettings
{
    public required TransmissionParameters Transmission { get; init; }

    public required CongestionControl Congestion { get; init; }

    public required OptionRegistry Options { get; init; }

    /// <summary>The largest datagram, in bytes.</summary>
    public required int MaxSendSize { get; init; }

    /// <summary>The longest token of a received request, in bytes.</summary>
    public required int MaxTokenLength { get; init; }

    /// <summary>The size of a payload, in bytes, from which a connection sends it from the sender's memory without a copy.</summary>
    public required int LargeMessageSize { get; init; }

    public required int MaxQueuedRequests { get; init; }

    public required int MaxPendingRequests { get; init; }

    public required TimeSpan ResponseTimeout { get; init; }

    public required TimeSpan AcknowledgeAfter { get; init; }

    public required bool AllowsMessageIdReuse { get; init; }

    public required TimeSpan MessageIdWait { get; init; }

    /// <summary>How long the Echo value of a peer goes along with requests to it (RFC 9175, section 2.3).</summary>
    public required TimeSpan EchoMemory { get; init; }
}
