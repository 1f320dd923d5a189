namespace CoAP.Accounting;

/// <summary>What the peers of an endpoint make it store and do, by account. All lanes share it.</summary>
/// <remarks>Safe for concurrent use.</remarks>
internal sealed class Ledger : IDisposable
{
    private readonly LedgerSettings _settings;

    /// <param name="settings">How limits are shared.</param>
    /// <param name="limits">The limits of the endpoint.</param>
    public Ledger(LedgerSettings settings, LedgerLimits limits)
    {
        _settings = settings;
        Requests = BookOf(limits.Requests);
        HandlerQueue = BookOf(limits.HandlerQueue);
        HandlerThreads = new LedgerBook(limits.HandlerThreads, Math.Max(1, UnverifiedPart(limits.HandlerThreads)));
        Bodies = BookOf(limits.Bodies);
        Observations = BookOf(limits.Observations);
        UnsentBytes = BookOf(limits.UnsentBytes);
        (Connections, WebSockets, Handshakes) = (BookOf(limits.Connections), BookOf(limits.WebSockets), BookOf(limits.Handshakes));
        LedgerMetrics.Add(this);
    }

    /// <summary>The received requests that wait for a handler or for the time of their answer.</summary>
    public LedgerBook Requests { get; }

    /// <summary>The requests that buffered handlers process or that wait for a handler thread.</summary>
    public LedgerBook HandlerQueue { get; }

    /// <summary>The threads of buffered handlers. Unverified addresses may hold one at least, because their requests are already in the queue.</summary>
    public LedgerBook HandlerThreads { get; }

    /// <summary>The bytes of received and kept bodies.</summary>
    public LedgerBook Bodies { get; }

    /// <summary>The observations of resources.</summary>
    public LedgerBook Observations { get; }

    /// <summary>The bytes of responses that wait on connections until the peer reads.</summary>
    public LedgerBook UnsentBytes { get; }

    /// <summary>The accepted connections.</summary>
    public LedgerBook Connections { get; }

    /// <summary>The WebSockets that a web host has accepted.</summary>
    public LedgerBook WebSockets { get; }

    /// <summary>The TLS handshakes in progress.</summary>
    public LedgerBook Handshakes { get; }

    /// <summary>All books, with their names in metrics.</summary>
    public IEnumerable<(string Resource, LedgerBook Book)> Books => [("requests", Requests), ("handler queue", HandlerQueue), ("handler threads", HandlerThreads),
        ("bodies", Bodies), ("observations", Observations), ("unsent bytes", UnsentBytes),
        ("connections", Connections), ("websockets", WebSockets), ("handshakes", Handshakes)];

    /// <summary>Returns the account of a peer.</summary>
    /// <param name="peer">The address of the peer.</param>
    /// <param name="credentials">The credentials of the peer; <see langword="null"/> if it has none.</param>
    /// <param name="isVerified">Whether the peer has proven its address, or has credentials.</param>
    public Account AccountOf(in PeerIdentity peer, PeerCredentials? credentials, bool isVerified)
    {
        if (!isVerified) { return Account.Unverified; }
        if (_settings.AccountOf?.Invoke(peer, credentials) is { } named) { return named; }
        return credentials switch
        {
            { Certificate: { } certificate } => Account.Of($"certificate {certificate.Thumbprint}"),
            { PreSharedKeyIdentity: { Length: > 0 } identity } => Account.Of($"key {identity}"),
            _ => Account.Of(peer),
        };
    }

    public void Dispose() => LedgerMetrics.Remove(this);

    private LedgerBook BookOf(long limit) => new(limit, UnverifiedPart(limit));

    // Rounded up, so that a small limit can be used at all.
    private long UnverifiedPart(long limit) => (long)Math.Ceiling(limit * _settings.UnverifiedShare);
}
