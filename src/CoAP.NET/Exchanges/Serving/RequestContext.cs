using System.Collections.Concurrent;
using System.Security.Claims;
using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>What steps and handlers keep with a request. Created on first use; all copies of the request share it. Safe for concurrent use.</summary>
internal sealed class RequestContext
{
    private IDictionary<object, object?>? _items;
    private BuiltUser? _user;
    private IServiceProvider? _created;
    private PeerToken? _aborted;
    private int _holders = 1;   // the request itself, who holds it outside of the mesh, and a copy of it that ends alone
    private int _isEnding;

    /// <summary>The token of <c>RequestAborted</c> if the request has its own; otherwise <see langword="null"/>.</summary>
    public PeerToken? Aborted => Volatile.Read(ref _aborted);

    public IDictionary<object, object?> Items =>
        _items ?? Interlocked.CompareExchange(ref _items, new ConcurrentDictionary<object, object?>(concurrencyLevel: 1, capacity: 7), null) ?? _items;

    /// <summary>The services that a step has set, or that the endpoint has created; <see langword="null"/> if there are none.</summary>
    public IServiceProvider? Services { get => field ?? _created; set; }

    /// <summary>Whether nothing uses the services any more. Then none are created.</summary>
    public bool HasEnded => Volatile.Read(ref _holders) <= 0;

    /// <summary>Adds services that the endpoint has created. Returns those that were added first, or <see langword="null"/> if the request has ended.</summary>
    public IServiceProvider? AddCreated(IServiceProvider created, ExchangeLane lane)
    {
        if (Interlocked.CompareExchange(ref _created, created, null) is { } first)
        {
            ServicesEnd.Later(created as IAsyncDisposable, lane);
            return first;
        }
        if (!HasEnded) { return created; }
        ServicesEnd.Later(TakeCreated(), lane);
        return null;
    }

    /// <summary>Removes the services that the endpoint has created. The caller has to dispose of them; <see langword="null"/> if there are none.</summary>
    public IAsyncDisposable? TakeCreated() => Interlocked.Exchange(ref _created, null) as IAsyncDisposable;

    /// <summary>Keeps the services until <see cref="Release"/> is called once more.</summary>
    public void Hold() => Interlocked.Increment(ref _holders);

    /// <summary>Disposes of the services if nothing else holds them.</summary>
    public void Release(ExchangeLane lane)
    {
        if (Interlocked.Decrement(ref _holders) == 0) { ServicesEnd.Later(TakeCreated(), lane); }
    }

    /// <summary>Called when the request has ended. Further calls do nothing.</summary>
    public void End(ExchangeLane lane)
    {
        if (Interlocked.Exchange(ref _isEnding, 1) == 0) { Release(lane); }
    }

    /// <summary>Sets <see cref="Aborted"/> unless it is set, and returns it.</summary>
    public PeerToken KeepAborted(PeerToken created) => Interlocked.CompareExchange(ref _aborted, created, null) ?? created;

    /// <summary>Sets the user, whatever the credentials are.</summary>
    public void SetUser(ClaimsPrincipal user) => Volatile.Write(ref _user, new(user, null, IsSet: true));

    /// <summary>Returns the user that was set, or the one that the credentials describe.</summary>
    public ClaimsPrincipal UserOf(PeerCredentials? credentials)
    {
        while (true)
        {
            var known = Volatile.Read(ref _user);
            if (known is not null && (known.IsSet || known.Credentials == credentials)) { return known.User; }
            var built = new BuiltUser(PeerPrincipal.Of(credentials), credentials, IsSet: false);
            if (Interlocked.CompareExchange(ref _user, built, known) == known) { return built.User; }
        }
    }

    // A stage can verify credentials after the user was asked for.
    private sealed record BuiltUser(ClaimsPrincipal User, PeerCredentials? Credentials, bool IsSet);
}
