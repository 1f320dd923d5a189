using CoAP.Vocabulary;

namespace CoAP.Accounting;

/// <summary>Records how much of each limit of an endpoint its peers hold, by account. All lanes share it.</summary>
/// <remarks>Safe for concurrent use.</remarks>
internal sealed class Ledger : IDisposable
{
    private const string RequestsSetting = "MaxPendingRequests";

    private readonly LedgerSettings _settings;
    private readonly EndpointLog _log;

    /// <param name="settings">The settings for sharing the limits.</param>
    /// <param name="limits">The limits of the endpoint.</param>
    /// <param name="log">The log of the endpoint.</param>
    public Ledger(LedgerSettings settings, LedgerLimits limits, EndpointLog log)
    {
        (_settings, _log) = (settings, log);
        (Requests, SeparateAnswers) = (BookOf(limits.Requests, RequestsSetting), BookOf(limits.Requests, RequestsSetting));
        (GroupAnswers, HandlerQueue) = (BookOf(limits.GroupAnswers, "MaxPendingAnswers"), BookOf(limits.HandlerQueue, "MaxHandlerQueue"));
        (HandlerThreads, BodyThreads) = (ThreadsOf(limits.HandlerThreads), ThreadsOf(limits.BodyThreads));
        (Authorizations, Bodies) = (BookOf(limits.Authorizations, "MaxPendingAuthorizations"), BookOf(limits.Bodies, "MaxTotalSize"));
        Observations = BookOf(limits.Observations, "MaxObservations");
        (UnsentBytes, Input) = (BookOf(limits.UnsentBytes), new InputRoom(BookOf(limits.ReceivedBytes, "half of MaxInFlightSize")));
        (Connections, WebSockets, Handshakes) = (BookOf(limits.Connections), BookOf(limits.WebSockets), BookOf(limits.Handshakes));
        (Sessions, SessionHandshakes) = (BookOf(limits.Sessions), BookOf(limits.SessionHandshakes));
        LedgerMetrics.Add(this);
    }

    /// <summary>The received requests that wait for a handler, or whose answer is delayed.</summary>
    public LedgerBook Requests { get; }

    /// <summary>The separate responses over datagrams that the peer has not acknowledged.</summary>
    public LedgerBook SeparateAnswers { get; }

    /// <summary>The answers to groups that wait for the end of their leisure.</summary>
    public LedgerBook GroupAnswers { get; }

    /// <summary>The requests that buffered handlers process or that wait for a handler thread.</summary>
    public LedgerBook HandlerQueue { get; }

    /// <summary>The threads of buffered handlers.</summary>
    public LedgerBook HandlerThreads { get; }

    /// <summary>The threads of buffered handlers that read a body while it arrives.</summary>
    public LedgerBook BodyThreads { get; }

    /// <summary>The calls of authorizers in progress.</summary>
    public LedgerBook Authorizations { get; }

    /// <summary>The bytes of received and kept bodies, and of the requests that handlers, authorizers, users' blocks and observations hold.</summary>
    public LedgerBook Bodies { get; }

    /// <summary>The observations of resources.</summary>
    public LedgerBook Observations { get; }

    /// <summary>The bytes of responses that wait on connections until the peer reads.</summary>
    public LedgerBook UnsentBytes { get; }

    /// <summary>The received bytes of incomplete messages on connections.</summary>
    public InputRoom Input { get; }

    /// <summary>The accepted connections.</summary>
    public LedgerBook Connections { get; }

    /// <summary>The WebSockets that a web host has accepted.</summary>
    public LedgerBook WebSockets { get; }

    /// <summary>The TLS handshakes in progress.</summary>
    public LedgerBook Handshakes { get; }

    /// <summary>The secured sessions over datagrams.</summary>
    public LedgerBook Sessions { get; }

    /// <summary>The handshakes of secured sessions over datagrams in progress.</summary>
    public LedgerBook SessionHandshakes { get; }

    /// <summary>All books, with their names in metrics.</summary>
    public IEnumerable<(string Resource, LedgerBook Book)> Books =>
    [
        ("requests", Requests), ("separate answers", SeparateAnswers), ("group answers", GroupAnswers), ("handler queue", HandlerQueue),
        ("handler threads", HandlerThreads), ("body threads", BodyThreads),
        ("authorizations", Authorizations), ("bodies", Bodies), ("observations", Observations), ("unsent bytes", UnsentBytes),
        ("received bytes", Input.Book), ("connections", Connections), ("websockets", WebSockets), ("handshakes", Handshakes),
        ("sessions", Sessions), ("session handshakes", SessionHandshakes),
    ];

    /// <summary>The longest time that a request of an unverified address waits for a handler thread.</summary>
    public TimeSpan MaxUnverifiedDelay => _settings.MaxUnverifiedDelay;

    /// <summary>Returns the account of a peer.</summary>
    /// <param name="peer">The address of the peer.</param>
    /// <param name="credentials">The credentials of the peer; <see langword="null"/> if it has none.</param>
    /// <param name="isVerified">Whether the peer has proven its address, or has credentials.</param>
    public Account AccountOf(in PeerIdentity peer, PeerCredentials? credentials, bool isVerified)
    {
        if (!isVerified) { return Account.Unverified; }
        if (_settings.AccountOf is { } accountOf && TryName(accountOf, peer, credentials, out var named)) { return named; }
        return credentials?.Identity is { } identity ? Account.Of(identity) : Account.Of(peer);
    }

    /// <summary>Logs that a request was dropped because the endpoint has no room for any request.</summary>
    public void LogDrop(in Account account)
    {
        if (_log.TryPass(LogEvent.LimitReached, Requests, out var held)) { Write(Requests, account, RequestsSetting, held); }
    }

    public void Dispose() => LedgerMetrics.Remove(this);

    // A default account is what a failed lookup returns. It must not put the peer among the unverified addresses.
    private bool TryName(Func<PeerIdentity, PeerCredentials?, Account?> accountOf, in PeerIdentity peer, PeerCredentials? credentials, out Account named)
    {
        named = default;
        try { named = accountOf(peer, credentials) ?? default; }
        catch (Exception exception) // The edge to user code: the peer is charged by the default rule.
        {
            if (_log.TryPass(LogEvent.AccountOfFailed, null, out var held)) { Log.AccountOfFailed(_log.Logger, exception, peer, held); }
        }
        return !named.IsUnverified;
    }

    private LedgerBook BookOf(long limit) => new(limit, UnverifiedPart(limit));

    private LedgerBook BookOf(long limit, string setting) =>
        new(limit, UnverifiedPart(limit)) { OnRefused = (book, account) => LogRefusal(book, account, setting) };

    private void LogRefusal(LedgerBook book, in Account account, string setting)
    {
        if (_log.TryPass(LogEvent.LimitReached, book, out var held)) { Write(book, account, setting, held); }
    }

    private void Write(LedgerBook book, in Account account, string setting, long held)
    {
        var (name, rule) = account.IsUnverified
            ? ("The account of all unverified addresses", $"It may hold at most {UnverifiedPart(book.Limit)} (LedgerSettings.UnverifiedShare)")
            : (ForeignText.Clean(account.ToString()), "One account may hold at most as many as are still free");
        Log.LimitReached(_log.Logger, name, book.HeldBy(account), book.Limit, setting, book.Used, rule, held);
    }

    // Unverified addresses may hold at least one thread. Otherwise their queued requests would wait forever.
    private LedgerBook ThreadsOf(int limit) => new(limit, Math.Max(1, UnverifiedPart(limit)));

    // Rounded up, so that unverified addresses can use a small limit too.
    private long UnverifiedPart(long limit) => (long)Math.Ceiling(limit * _settings.UnverifiedShare);
}
