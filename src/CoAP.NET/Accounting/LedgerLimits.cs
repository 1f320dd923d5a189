namespace CoAP.Accounting;

/// <summary>The limits of an endpoint. Each applies to all lanes together. A limit that the endpoint does not need is 0.</summary>
internal sealed record LedgerLimits
{
    /// <summary>The received requests without an answer.</summary>
    public required int Requests { get; init; }

    /// <summary>The requests that buffered handlers process or that wait for a handler thread.</summary>
    public required int HandlerQueue { get; init; }

    /// <summary>The threads of buffered handlers.</summary>
    public required int HandlerThreads { get; init; }

    /// <summary>The threads of buffered handlers that read a body while it arrives.</summary>
    public required int BodyThreads { get; init; }

    /// <summary>The calls of authorizers in progress.</summary>
    public required int Authorizations { get; init; }

    /// <summary>The bytes of received and kept bodies, and of the requests that handlers hold.</summary>
    public required long Bodies { get; init; }

    /// <summary>The observations of resources.</summary>
    public required int Observations { get; init; }

    /// <summary>The bytes of responses that wait on connections until the peer reads.</summary>
    public required long UnsentBytes { get; init; }

    /// <summary>The received bytes of incomplete messages on connections.</summary>
    public required long ReceivedBytes { get; init; }

    /// <summary>The answers to groups that wait for the end of their leisure.</summary>
    public required int GroupAnswers { get; init; }

    /// <summary>The accepted connections.</summary>
    public int Connections { get; init; }

    /// <summary>The WebSockets that a web host has accepted.</summary>
    public int WebSockets { get; init; }

    /// <summary>The TLS handshakes in progress.</summary>
    public int Handshakes { get; init; }

    /// <summary>The secured sessions over datagrams.</summary>
    public int Sessions { get; init; }

    /// <summary>The handshakes of secured sessions over datagrams in progress.</summary>
    public int SessionHandshakes { get; init; }
}
