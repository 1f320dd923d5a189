namespace CoAP.Tool.Benchmarking;

/// <summary>The load.</summary>
internal sealed record BenchSettings
{
    public required string Uri { get; init; }

    public CoapCode Method { get; init; } = RequestCode.Get;

    public byte[] Payload { get; init; } = [];

    public uint? ContentFormat { get; init; }

    /// <summary>Whether requests over UDP are confirmable.</summary>
    public bool IsConfirmable { get; init; } = true;

    /// <summary>The number of UDP sockets, each with a port of its own, or of connections or sessions.</summary>
    public int Clients { get; init; } = 16;

    /// <summary>The most requests of a client that wait for a response at the same time.</summary>
    public int Concurrency { get; init; } = 4;

    /// <summary>
    /// The requests per second of an open loop; <see langword="null"/> for a closed loop, in which each response makes room for the next request.
    /// </summary>
    public double? Rate { get; init; }

    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long the load lasts before it is measured.</summary>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The time after which a request without a response counts as failed. Default: 5 s.</summary>
    public TimeSpan ResponseTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The time before a confirmable request over UDP is sent again (RFC 7252, section 4.8, ACK_TIMEOUT).</summary>
    public TimeSpan AckTimeout { get; init; } = TransmissionParameters.Default.AckTimeout;

    /// <summary>The most requests that wait for a response at the same time.</summary>
    public int Slots => Clients * Concurrency;

    /// <summary>Creates the request that all clients send.</summary>
    public CoapRequest ToRequest() => new(Method, Uri)
    {
        IsConfirmable = IsConfirmable,
        Payload = Payload,
        Options = ContentFormat is { } format ? [new Options.ContentFormat(format)] : [],
        Timeout = ResponseTimeout,
    };
}
