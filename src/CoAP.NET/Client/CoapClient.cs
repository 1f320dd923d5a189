using System.Net.Sockets;
using CoAP.Exchanges;
using CoAP.Mesh;
using CoAP.Observing;
using CoAP.Stateless;

namespace CoAP;

/// <summary>A CoAP client. One instance serves any number of endpoints and threads, and keeps its sockets open.</summary>
/// <remarks>
/// Safe for concurrent use. Every method has an asynchronous form and a form that blocks the calling thread. Both use the same engine. Most ways to
/// send a request are extension methods, such as <see cref="RequestExtensions.GetAsync"/>, <see cref="BodyTransferExtensions.DownloadAsync"/> and
/// <see cref="ObservingExtensions.ObserveAsync(IRequestSender, string, CancellationToken)"/>.
/// </remarks>
public sealed class CoapClient : IObservingClient, IStatelessSender, IEnvironmentSender, IAsyncDisposable, IDisposable
{
    private readonly CoapClientSettings _settings;
    private readonly ClientRouter _router;
    private readonly ClientObservations _observations;
    private readonly StatelessSender _stateless;
    private readonly ClientSender _end;
    private readonly List<IRequestStep> _steps = [];
    private readonly Lock _gate = new();
    private IRequestSender _sender;         // the first step, or the end
    private EndpointLanes? _mesh;
    private ResourceMap? _resources;
    private bool _isDisposed;
    private volatile bool _isUsed;

    /// <summary>Creates a client. It opens its sockets with the first request.</summary>
    /// <param name="settings">The settings. Default: those of <see cref="CoapClientSettings"/>.</param>
    /// <exception cref="ArgumentException">There are several local ports, and the local end point has a fixed one.</exception>
    public CoapClient(CoapClientSettings? settings = null)
    {
        _settings = settings ??= new CoapClientSettings();
        if (settings is { LocalPorts: > 1, LocalEndPoint.Port: > 0 and var port })
        {
            throw new ArgumentException($"LocalPorts is {settings.LocalPorts}, but LocalEndPoint has the port {port}. Use port 0, or one local port.", nameof(settings));
        }
        var addresses = new AddressBook(settings.AddressLifetime, settings.TimeProvider, settings.Network is null ? null : settings.NamesOnNetwork);
        _router = new ClientRouter(addresses, () => Mesh);
        _stateless = new StatelessSender(settings.StatelessTokens, _router, settings.TimeProvider);
        _observations = new ClientObservations(
            new ObservationEnvironment(settings.ClientObservations, settings.TimeProvider, settings.CreateLog(), settings.Runtime), _router,
            target => settings.Cache?.NotificationsOf(target))
        {
            Timeout = settings.Timeout,
            Owner = this,
        };
        _sender = _end = new ClientSender(
            settings, _router, _observations, _stateless,
            (in group, request, groupSettings, parked) => Mesh.Datagrams.BeginMulticast(group, request, groupSettings, parked));
    }

    /// <summary>
    /// The resources that the client offers to its peers. Use this property for the first time before the first request; resources can be added later. A client
    /// that does not use it answers requests of peers with 5.01 (Not Implemented).
    /// </summary>
    /// <exception cref="InvalidOperationException">The client has sent a request before the property was used for the first time.</exception>
    public ResourceMap Resources
    {
        get
        {
            lock (_gate)
            {
                if (_resources is null && _mesh is not null)
                {
                    throw new InvalidOperationException(
                        "CoapClient.Resources is used for the first time after the first request, so the client already runs without resources. Map them before the first request.");
                }
                return _resources ??= new ResourceMap();
            }
        }
    }

    /// <summary>The formats of typed payloads, from <see cref="CoapEndpointSettings.Formats"/>.</summary>
    public PayloadFormats Formats => _settings.Formats;

    /// <summary>Adds a step that all requests of the client pass, also those to groups and the registrations of observations. Call it before the first request.</summary>
    /// <param name="step">The step. A request passes the steps in the order in which they were added.</param>
    /// <returns>The client.</returns>
    /// <exception cref="InvalidOperationException">The client has already sent a request.</exception>
    public CoapClient Use(IRequestStep step)
    {
        ArgumentNullException.ThrowIfNull(step);
        lock (_gate)
        {
            if (_isUsed)
            {
                throw new InvalidOperationException($"The step {step.Name} was added too late. Call Use before the first request of the client.");
            }
            _steps.Add(step);
            _sender = _end.Through([.. _steps]);
        }
        return this;
    }

    /// <summary>Sends a request to the endpoint that its URI names and returns its response.</summary>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        _sender.SendAsync(Absolute(request), cancellationToken);

    /// <summary>Sends a request to the endpoint that its URI names and returns its response. Blocks the calling thread.</summary>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default) => _sender.Send(Absolute(request), cancellationToken);

    /// <summary>Sends a request that needs no response to the endpoint that its URI names (RFC 7967).</summary>
    /// <inheritdoc cref="IRequestSender.SendAndForgetAsync" path="/remarks|/exception"/>
    public ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        _sender.SendAndForgetAsync(Absolute(request), cancellationToken);

    /// <summary>Sends a request that needs no response to the endpoint that its URI names (RFC 7967). Blocks the calling thread.</summary>
    /// <inheritdoc cref="IRequestSender.SendAndForgetAsync" path="/remarks|/exception"/>
    public Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default) =>
        _sender.SendAndForget(Absolute(request), cancellationToken);

    /// <summary>Sends a request to the endpoint or the group that its URI names, whatever answers it asks for, and returns them.</summary>
    /// <inheritdoc cref="IRequestSender.AskAsync" path="/remarks|/param|/exception"/>
    public ValueTask<Answers> AskAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        _sender.AskAsync(Absolute(request), cancellationToken);

    /// <summary>
    /// Sends a request to the endpoint or the group that its URI names, whatever answers it asks for, and returns them. Blocks the calling
    /// thread.
    /// </summary>
    /// <inheritdoc cref="IRequestSender.AskAsync" path="/remarks|/param|/exception"/>
    public Answers Ask(CoapRequest request, CancellationToken cancellationToken = default) => _sender.Ask(Absolute(request), cancellationToken);

    /// <inheritdoc/>
    public IReadOnlyList<CoapObservation> RestoreObservations(CancellationToken cancellationToken = default) =>
        _observations.Restore(this, cancellationToken);

    /// <inheritdoc/>
    public ValueTask<bool> SupportsTokenLengthAsync(string uri, int length, CancellationToken cancellationToken = default) =>
        _stateless.SupportsTokenLengthAsync(uri, length, cancellationToken);

    /// <inheritdoc/>
    public bool SupportsTokenLength(string uri, int length, CancellationToken cancellationToken = default) =>
        _stateless.SupportsTokenLength(uri, length, cancellationToken);

    /// <summary>Opens a channel to a server on the same machine over a Unix domain socket. All callers with the same path share the connection.</summary>
    /// <param name="path">The file of the socket.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="CoapTransportException">No server listens at the path.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public ValueTask<IChannel> OpenUnixAsync(string path, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Mesh.OpenUnixAsync(path, cancellationToken);
    }

    /// <summary>Opens a channel to a server on the same machine over a Unix domain socket. Blocks the calling thread.</summary>
    /// <inheritdoc cref="OpenUnixAsync" path="/param|/exception"/>
    public IChannel OpenUnix(string path, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Mesh.OpenUnix(path, cancellationToken);
    }

    /// <summary>
    /// Sets the number of requests to one peer that may be outstanding over datagrams (RFC 7252, section 4.7, NSTART). A higher limit starts waiting
    /// requests at once. A lower limit takes effect as requests end.
    /// </summary>
    /// <param name="peer">The peer, such as <c>PeerIdentity.From(endPoint)</c>.</param>
    /// <param name="nStart">1 to 32,768, or <see langword="null"/> for the value of the settings.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number is less than 1 or more than 32,768.</exception>
    public void SetNStart(PeerIdentity peer, int? nStart) => Mesh.Datagrams.SetNStart(peer, Bound.Within(nStart, 1, 32_768, nameof(nStart)));

    /// <summary>Ends the client. Outstanding requests fail, and the sockets are closed.</summary>
    public async ValueTask DisposeAsync()
    {
        if (End() is { } mesh) { await mesh.StopAsync().ConfigureAwait(false); }
    }

    /// <summary>Ends the client. Blocks the calling thread until the sockets are closed.</summary>
    public void Dispose()
    {
        if (End() is not { } mesh) { return; }
        mesh.BeginStop();
        mesh.WaitForEnd();
    }

    SenderEnvironment IEnvironmentSender.Environment => _end.Environment;

    private CoapRequest Absolute(CoapRequest request)
    {
        if (!_isUsed) { _isUsed = true; }       // not written again, because all threads read it
        return _settings.Base is { } uri && request is not null ? request.ResolvedAgainst(uri) : request!;
    }

    private EndpointLanes Mesh
    {
        get
        {
            if (_mesh is { } mesh && !_isDisposed) { return mesh; }
            lock (_gate)
            {
                ObjectDisposedException.ThrowIf(_isDisposed, this);
                try { return _mesh ??= EndpointLanes.ForClient(_settings, _settings.LocalEndPoint, _settings.LocalPorts, _resources); }
                catch (SocketException exception)
                {
                    throw new CoapTransportException($"The client cannot open its UDP sockets or start their threads. {exception.Message}", exception);
                }
            }
        }
    }

    private EndpointLanes? End()
    {
        EndpointLanes? mesh;
        lock (_gate) { (_isDisposed, mesh) = (true, _mesh); }
        _observations.Stop();
        return mesh;
    }
}
