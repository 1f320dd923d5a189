using System.Net;
using CoAP.Channels;
using CoAP.Mesh;

namespace CoAP;

/// <summary>A CoAP client: one instance serves any number of endpoints and threads, and keeps its sockets.</summary>
/// <remarks>Every call has a form that blocks the calling thread and one that does not; both run on the same engine. Safe for concurrent use.</remarks>
public sealed partial class CoapClient : IAsyncDisposable, IDisposable
{
    private readonly CoapClientSettings _settings;
    private readonly AddressBook _addresses;
    private readonly Lock _gate = new();
    private CoapMesh? _mesh;
    private ResourceMap? _resources;
    private bool _isDisposed;

    /// <summary>Makes a client; sockets are opened with the first request.</summary>
    public CoapClient(CoapClientSettings? settings = null)
    {
        _settings = settings ?? new CoapClientSettings();
        _addresses = new AddressBook(_settings.AddressLifetime, _settings.TimeProvider);
    }

    /// <summary>What the client answers to requests of its peers; without anything mapped they get 5.01. Map before the first request.</summary>
    public ResourceMap Resources
    {
        get
        {
            lock (_gate) { return _resources ??= new ResourceMap(); }
        }
    }

    /// <summary>Sends a request to the endpoint that its URI names, and waits for the response without holding a thread.</summary>
    /// <exception cref="ArgumentException">The request has no absolute URI, or does not fit into a message.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="CoapTimeoutException">Nobody answered in time.</exception>
    /// <exception cref="CoapResetException">The peer rejected the request.</exception>
    /// <exception cref="CoapTransportException">The name has no address, the network failed, or the connection ended.</exception>
    /// <exception cref="CoapBusyException">The queue of requests to the peer is full.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        RouteAsync(request, static (channel, one, token) => channel.SendAsync(one, token), cancellationToken);

    /// <summary>Sends a request to the endpoint that its URI names, and blocks the calling thread until the response is there.</summary>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default) =>
        Route(request, static (channel, one, token) => channel.Send(one, token), cancellationToken);

    /// <summary>
    /// Sends a request that no response is wanted to (RFC 7967), and waits until it is on its way: acknowledged by the server where it is
    /// confirmable and goes as a datagram, else just sent.
    /// </summary>
    /// <remarks>The request gets a No-Response option, unless it has one. Later responses of a server that does not know it are rejected.</remarks>
    /// <exception cref="ArgumentException">As with <see cref="SendAsync"/>, or the request has a No-Response option that wants some responses.</exception>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        RouteAsync(request, static (channel, one, token) => channel.SendAndForgetAsync(one, token), cancellationToken);

    /// <summary>The same, blocking the calling thread.</summary>
    /// <inheritdoc cref="SendAndForgetAsync" path="/remarks|/exception"/>
    public Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default) =>
        Route(request, static (channel, one, token) => channel.SendAndForget(one, token), cancellationToken);

    /// <summary>Ends the client: requests without a response fail, sockets are closed.</summary>
    public async ValueTask DisposeAsync()
    {
        if (End() is { } mesh) { await mesh.StopAsync().ConfigureAwait(false); }
    }

    /// <summary>Ends the client and blocks until its sockets are closed.</summary>
    public void Dispose()
    {
        if (End() is not { } mesh) { return; }
        mesh.BeginStop();
        mesh.WaitForEnd();
    }

    private CoapMesh Mesh
    {
        get
        {
            if (_mesh is { } mesh && !_isDisposed) { return mesh; }
            lock (_gate)
            {
                ObjectDisposedException.ThrowIf(_isDisposed, this);
                return _mesh ??= CoapMesh.ForClient(_settings, _resources);
            }
        }
    }

    private async ValueTask<T> RouteAsync<T>(
        CoapRequest request, Func<IChannel, CoapRequest, CancellationToken, ValueTask<T>> send, CancellationToken cancellationToken)
    {
        var target = RequestTarget.Of(request);
        if (_settings.Network is not null) { return await SendToAsync(target, PeerIdentity.From(target.Host), Nowhere(target), send, cancellationToken).ConfigureAwait(false); }
        var addresses = await _addresses.ResolveAsync(target.Host, cancellationToken).ConfigureAwait(false);
        for (var attempt = 0; ; attempt++)
        {
            var peer = new IPEndPoint(addresses[attempt], target.Port);
            try
            {
                return await SendToAsync(target, PeerIdentity.From(peer), peer, send, cancellationToken).ConfigureAwait(false);
            }
            catch (CoapException exception) when (_addresses.HasFailed(target.Host, exception) && attempt + 1 < addresses.Count && IsUndelivered(exception))
            {
                // The next address of the name has its turn.
            }
        }
    }

    private T Route<T>(CoapRequest request, Func<IChannel, CoapRequest, CancellationToken, T> send, CancellationToken cancellationToken)
    {
        var target = RequestTarget.Of(request);
        if (_settings.Network is not null) { return SendTo(target, PeerIdentity.From(target.Host), Nowhere(target), send, cancellationToken); }
        var addresses = _addresses.Resolve(target.Host);
        for (var attempt = 0; ; attempt++)
        {
            var peer = new IPEndPoint(addresses[attempt], target.Port);
            try
            {
                return SendTo(target, PeerIdentity.From(peer), peer, send, cancellationToken);
            }
            catch (CoapException exception) when (_addresses.HasFailed(target.Host, exception) && attempt + 1 < addresses.Count && IsUndelivered(exception))
            {
                // The next address of the name has its turn.
            }
        }
    }

    private async ValueTask<T> SendToAsync<T>(
        RequestTarget target, PeerIdentity peer, IPEndPoint address, Func<IChannel, CoapRequest, CancellationToken, ValueTask<T>> send,
        CancellationToken cancellationToken)
    {
        var request = target.RequestTo(address);
        var channel = await Mesh.OpenChannelAsync(target.Scheme, peer, cancellationToken).ConfigureAwait(false);
        try
        {
            return await send(channel, request, cancellationToken).ConfigureAwait(false);
        }
        catch (CoapTransportException exception) when (exception.IsUnsent)
        {
            // The connection ended before the request left (RFC 8323, section 3): the next one takes it.
            channel = await Mesh.OpenChannelAsync(target.Scheme, peer, cancellationToken).ConfigureAwait(false);
            return await send(channel, request, cancellationToken).ConfigureAwait(false);
        }
    }

    private T SendTo<T>(
        RequestTarget target, PeerIdentity peer, IPEndPoint address, Func<IChannel, CoapRequest, CancellationToken, T> send,
        CancellationToken cancellationToken)
    {
        var request = target.RequestTo(address);
        try
        {
            return send(Mesh.OpenChannel(target.Scheme, peer, cancellationToken), request, cancellationToken);
        }
        catch (CoapTransportException exception) when (exception.IsUnsent)
        {
            // As above.
            return send(Mesh.OpenChannel(target.Scheme, peer, cancellationToken), request, cancellationToken);
        }
    }

    // On an in-memory network a peer has a name and no address, and ports mean nothing.
    private static IPEndPoint Nowhere(in RequestTarget target) => new(IPAddress.None, target.Port);

    // Only what surely did not reach the peer may be sent to another address: anything else could be acted on twice.
    private static bool IsUndelivered(CoapException exception) => exception is CoapTransportException { InnerException: System.Net.Sockets.SocketException };

    private CoapMesh? End()
    {
        lock (_gate)
        {
            _isDisposed = true;
            return _mesh;
        }
    }
}
