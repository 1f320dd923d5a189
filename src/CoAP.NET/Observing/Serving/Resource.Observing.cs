using System.Threading.Tasks.Dataflow;
using CoAP.Observing;

namespace CoAP;

/// <content>Observations of the resource (RFC 7641).</content>
public sealed partial class Resource
{
    private ResourceObservers? _observers;

    /// <summary>The observations of this resource, of all peers and under all paths of its template.</summary>
    public int ObserverCount => Observers?.Count ?? 0;

    internal ResourceObservers? Observers => Volatile.Read(ref _observers);

    /// <summary>
    /// Lets clients observe the resource with GET and FETCH, and says so in discovery (RFC 7641, section 6). When it has changed,
    /// <see cref="NotifyChanged()"/> has its handler asked again.
    /// </summary>
    /// <remarks>
    /// <para>The handler is called once for all observers whose requests are alike (method, options that are part of the cache key, payload of a
    /// FETCH) on a lane, with the request of the one of them that was first; steps around all requests run as for any request. Where the answer depends on
    /// who asks, say so by <paramref name="perPeer"/>. Peers with credentials have representations of their own in any case.</para>
    /// <para>An answer that is no 2.xx is the last thing that observers hear (RFC 7641, section 4.2). The same goes for an answer in another
    /// Content-Format than the first one, which becomes a 4.06 (RFC 7641, section 4.4).</para>
    /// </remarks>
    /// <param name="confirmable">Whether notifications in datagrams are confirmable; as <see cref="ObserverSettings.IsConfirmable"/> says by default.</param>
    /// <param name="perPeer">Whether each peer has a representation of its own.</param>
    /// <param name="keepsFresh">Whether observers are notified again shortly before the Max-Age of what they have is over, changed or not. Without
    /// it a client whose representation has expired asks for it (RFC 7641, section 4.3.1).</param>
    /// <exception cref="InvalidOperationException">It is observable already.</exception>
    public Resource Observable(bool? confirmable = null, bool perPeer = false, bool keepsFresh = false)
    {
        var observers = new ResourceObservers { IsConfirmable = confirmable, IsPerPeer = perPeer, KeepsFresh = keepsFresh };
        if (Interlocked.CompareExchange(ref _observers, observers, null) is not null)
        {
            throw new InvalidOperationException($"'{Template}' is observable already.");
        }
        return WithLink(obs: true);
    }

    /// <summary>Lets clients observe the representations that a sequence yields; GET answers the newest one, and 5.03 before there is one.</summary>
    /// <remarks>Only the newest representation is kept. When the sequence has ended the last one stays; when it fails, observations end with 5.00.</remarks>
    /// <param name="source">Is read as fast as it yields, until it ends or the token fires.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <exception cref="InvalidOperationException">It is observable already, or GET has a handler.</exception>
    public Resource Observable(IAsyncEnumerable<CoapResponse> source, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        var latest = ObserveLatest();
        _ = latest.ReadAsync(source, cancellationToken);
        return this;
    }

    /// <summary>Lets clients observe the representations that a block gives; GET answers the newest one, and 5.03 before there is one.</summary>
    /// <inheritdoc cref="Observable(IAsyncEnumerable{CoapResponse}, CancellationToken)" path="/remarks|/exception"/>
    /// <param name="source">Is linked; what it gives is taken at once.</param>
    public Resource Observable(ISourceBlock<CoapResponse> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        ObserveLatest().TakeFrom(source);
        return this;
    }

    /// <summary>Tells that the resource has changed, under all its paths. Any thread; changes that come faster than they can be told become one.</summary>
    /// <exception cref="InvalidOperationException">The resource is not observable.</exception>
    public void NotifyChanged() => ObserversOrThrow().Notify(path: null);

    /// <summary>Tells that the resource has changed under one of its paths, such as "sensors/7" of "sensors/{id}".</summary>
    /// <param name="path">The path, not percent-encoded; a slash in front makes no difference.</param>
    /// <exception cref="InvalidOperationException">The resource is not observable.</exception>
    public void NotifyChanged(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        ObserversOrThrow().Notify(path.StartsWith('/') ? path : "/" + path);
    }

    /// <summary>Ends all observations; observers are told by an error. They may register again.</summary>
    /// <param name="code">The error, such as 5.03.</param>
    /// <exception cref="ArgumentException">The code is no error.</exception>
    /// <exception cref="InvalidOperationException">The resource is not observable.</exception>
    public void EndObservations(CoapCode code)
    {
        if (!code.IsClientError && !code.IsServerError) { throw new ArgumentException($"Code {code} is no error; class 4 or 5 is.", nameof(code)); }
        ObserversOrThrow().End(code);
    }

    private ResourceObservers ObserversOrThrow() =>
        Observers ?? throw new InvalidOperationException($"'{Template}' is not observable: call Observable() when it is mapped.");

    private LatestRepresentation ObserveLatest()
    {
        var latest = new LatestRepresentation(this);
        Get((_, _) => new(latest.Response), HandlerMode.Inline);
        Observable();
        return latest;
    }
}
