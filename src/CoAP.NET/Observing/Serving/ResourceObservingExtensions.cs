using System.Threading.Tasks.Dataflow;
using CoAP.Observing;

namespace CoAP;

/// <summary>Lets clients observe a resource, and notifies them of its changes (RFC 7641). Safe for concurrent use.</summary>
public static class ResourceObservingExtensions
{
    /// <param name="resource">The resource.</param>
    extension(Resource resource)
    {
        /// <summary>The number of observations of this resource, of all peers and under all paths of its template.</summary>
        public int ObserverCount => resource.Observers?.Count ?? 0;

        internal ResourceObservers? Observers => resource.Features.Find<ResourceObservers>();
    }

    /// <summary>
    /// Lets clients observe the resource with GET and FETCH, and lists it as observable in discovery (RFC 7641, section 6). After a call of
    /// <see cref="NotifyChanged(Resource)"/> the library calls the handler and sends its answer to the observers.
    /// </summary>
    /// <remarks>
    /// <para>Observers whose requests have the same method, cache key and payload share one call of the handler per lane. The handler sees the
    /// request of the first of them. Peers do not share one if they have credentials, if an authorizer decides about the resource, or if the server
    /// has steps that depend on the peer, because then peers may see different answers. If all may see the same, call <see cref="SharedByAll"/>.
    /// If the answer depends on the address of the peer, set <paramref name="perPeer"/>.</para>
    /// <para>An answer other than 2.xx ends the observations (RFC 7641, section 4.2). So does an answer whose Content-Format differs from that
    /// of the first one; observers then receive a 4.06 (RFC 7641, section 4.4).</para>
    /// </remarks>
    /// <param name="resource">The resource.</param>
    /// <param name="confirmable">Whether notifications in datagrams are confirmable. Default: <see cref="ServerObservationSettings.IsConfirmable"/>.</param>
    /// <param name="perPeer">Whether each peer has its own representation even if nothing else requires it.</param>
    /// <param name="keepsFresh">Whether observers get a new notification before the Max-Age of the last one expires, even without a change. Otherwise a
    /// client asks again when its representation has expired (RFC 7641, section 4.3.1). Default: <see cref="ServerObservationSettings.MinRefreshedAge"/>
    /// decides.</param>
    /// <exception cref="InvalidOperationException">The resource is already observable.</exception>
    public static Resource Observable(this Resource resource, bool? confirmable = null, bool perPeer = false, bool? keepsFresh = null)
    {
        var observers = new ResourceObservers { IsConfirmable = confirmable, IsPerPeer = perPeer, KeepsFresh = keepsFresh };
        if (!resource.Features.TryAdd(observers)) { throw new InvalidOperationException($"'{resource.Template}' is already observable."); }
        return resource.WithLink(obs: true);
    }

    /// <summary>Lets all observers share a representation, even if they have credentials, or if steps or authorizers depend on the peer.</summary>
    /// <remarks>Authorizers still decide which peers may observe. All peers that may observe get the same answers.</remarks>
    /// <param name="resource">The resource.</param>
    /// <exception cref="InvalidOperationException">The resource is not observable, or each peer has its own representation.</exception>
    public static Resource SharedByAll(this Resource resource)
    {
        var observers = ObserversOf(resource);
        if (observers.IsPerPeer) { throw new InvalidOperationException($"'{resource.Template}' is observable with perPeer: true, so peers cannot share its answers."); }
        observers.IsShared = true;
        return resource;
    }

    /// <summary>Lets clients observe the representations in a sequence. GET returns the newest one, or 5.03 before the first.</summary>
    /// <remarks>The library keeps only the newest representation, also after the end of the sequence. If the sequence throws, observations end
    /// with 5.00.</remarks>
    /// <param name="resource">The resource.</param>
    /// <param name="source">The sequence. The library reads it as fast as it yields.</param>
    /// <param name="cancellationToken">Stops the reading.</param>
    /// <exception cref="InvalidOperationException">The resource is observable already, or GET has a handler.</exception>
    public static Resource Observable(this Resource resource, IAsyncEnumerable<CoapResponse> source, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        var latest = ObserveLatest(resource);
        _ = latest.ReadAsync(source, cancellationToken);
        return resource;
    }

    /// <summary>Lets clients observe the representations that a block emits. GET returns the newest one, or 5.03 before the first.</summary>
    /// <remarks>The library keeps only the newest representation, also after the block has completed. If the block faults, observations end
    /// with 5.00.</remarks>
    /// <param name="resource">The resource.</param>
    /// <param name="source">The block. The library links to it and takes its items at once.</param>
    /// <exception cref="InvalidOperationException">The resource is observable already, or GET has a handler.</exception>
    public static Resource Observable(this Resource resource, ISourceBlock<CoapResponse> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        ObserveLatest(resource).TakeFrom(source);
        return resource;
    }

    /// <summary>Notifies the observers of all paths of the resource. Changes that come faster than notifications are merged.</summary>
    /// <param name="resource">The resource.</param>
    /// <exception cref="InvalidOperationException">The resource is not observable.</exception>
    public static void NotifyChanged(this Resource resource) => ObserversOf(resource).Notify(path: null);

    /// <summary>Notifies the observers of one path of the resource, such as "sensors/7" of "sensors/{id}".</summary>
    /// <param name="resource">The resource.</param>
    /// <param name="path">The path, not percent-encoded. A leading slash makes no difference.</param>
    /// <exception cref="InvalidOperationException">The resource is not observable.</exception>
    /// <exception cref="ArgumentException">The path does not match the template of the resource, so nobody can observe it.</exception>
    public static void NotifyChanged(this Resource resource, string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        var observers = ObserversOf(resource);
        var whole = path.StartsWith('/') ? path : "/" + path;
        if (!resource.Route.CanMatch(whole))
        {
            throw new ArgumentException(
                $"Path '{path}' does not match the template '{resource.Template}', so nobody can observe it. Write a path of the template, or call NotifyChanged() for all paths.",
                nameof(path));
        }
        observers.Notify(whole);
    }

    /// <summary>Ends all observations with an error. Clients may register again.</summary>
    /// <param name="resource">The resource.</param>
    /// <param name="code">The error, such as 5.03.</param>
    /// <exception cref="ArgumentException">The code is not an error.</exception>
    /// <exception cref="InvalidOperationException">The resource is not observable.</exception>
    public static void EndObservations(this Resource resource, CoapCode code)
    {
        CoapResponseException.ThrowUnlessError(code);
        ObserversOf(resource).End(code);
    }

    private static ResourceObservers ObserversOf(Resource resource) =>
        resource.Observers ?? throw new InvalidOperationException($"'{resource.Template}' is not observable: call Observable() when you map it.");

    private static LatestRepresentation ObserveLatest(Resource resource)
    {
        var latest = new LatestRepresentation(resource);
        resource.Get((_, _) => new(latest.Response), HandlerMode.Inline).Observable();
        return latest;
    }
}
