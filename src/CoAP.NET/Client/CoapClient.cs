using System.Net;
using CoAP.Caching;
using CoAP.Client;
using CoAP.Exchanges;
using CoAP.Mesh;
using CoAP.Stateless;

namespace CoAP;

/// <summary>A CoAP client: one instance serves any number of endpoints and threads, and keeps its sockets.</summary>
/// <remarks>Every call has a form that blocks the calling thread and one that does not; both run on the same engine. Safe for concurrent use.</remarks>
public sealed partial class CoapClient : IAsyncDisposable, IDisposable
{
    private static readonly Func<IChannel, CoapRequest, CancellationToken, ValueTask<CoapResponse>> Answered =
        static (channel, request, cancellationToken) => channel.SendAsync(request, cancellationToken);

    private static readonly Func<IChannel, CoapRequest, CancellationToken, CoapResponse> AnsweredParked =
        static (channel, request, cancellationToken) => channel.Send(request, cancellationToken);

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
        _negotiation = new TokenNegotiation(_settings.TimeProvider);
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
    /// <exception cref="ArgumentException">The request has no absolute URI, one that names a group, or does not fit into a message.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="CoapTimeoutException">Nobody answered in time.</exception>
    /// <exception cref="CoapResetException">The peer rejected the request.</exception>
    /// <exception cref="CoapTransportException">The name has no address, the network failed, or the connection ended.</exception>
    /// <exception cref="CoapSecurityException">The connection cannot be secured.</exception>
    /// <exception cref="CoapTransferException">A body broke off in the middle.</exception>
    /// <exception cref="CoapBusyException">The queue of requests to the peer is full.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var target = RequestTarget.OfOne(request);
        if (_settings.Cache is not { } cache || request.PassesCache) { return await RouteAsync(target, Answered, cancellationToken).ConfigureAwait(false); }
        var call = new CachedCall(cache, target, !request.IgnoresCache);
        while (call.Answer is null)
        {
            try { call.Take(await RouteAsync(call.Target, Answered, cancellationToken).ConfigureAwait(false)); }
            catch (Exception) when (call.Fail()) { throw; }    // whatever it was: the server may have acted on the request
        }
        return call.Answer;
    }

    /// <summary>Sends a request to the endpoint that its URI names, and blocks the calling thread until the response is there.</summary>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var target = RequestTarget.OfOne(request);
        if (_settings.Cache is not { } cache || request.PassesCache) { return Route(target, AnsweredParked, cancellationToken); }
        var call = new CachedCall(cache, target, !request.IgnoresCache);
        while (call.Answer is null)
        {
            try { call.Take(Route(call.Target, AnsweredParked, cancellationToken)); }
            catch (Exception) when (call.Fail()) { throw; }    // whatever it was: the server may have acted on the request
        }
        return call.Answer;
    }

    /// <summary>
    /// Sets how many requests to one peer may be outstanding over datagrams, instead of what the settings say (RFC 7252, section 4.7, NSTART).
    /// Requests that wait start as far as there is room; a smaller number takes effect as others end.
    /// </summary>
    /// <param name="peer">Whom it is for, such as <c>PeerIdentity.From(endPoint)</c>.</param>
    /// <param name="nStart">1 to 32,768, or nothing for what the settings say.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number is less than 1 or more than 32,768.</exception>
    public void SetNStart(PeerIdentity peer, int? nStart)
    {
        if (nStart is { } value)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1, nameof(nStart));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 32_768, nameof(nStart));
        }
        Mesh.SetNStart(peer, nStart);
    }

    /// <summary>Ends the client: requests without a response fail, sockets are closed.</summary>
    public async ValueTask DisposeAsync()
    {
        var ending = End();
        StopObservations();
        if (ending is { } mesh) { await mesh.StopAsync().ConfigureAwait(false); }
    }

    /// <summary>Ends the client and blocks until its sockets are closed.</summary>
    public void Dispose()
    {
        var ending = End();
        StopObservations();
        if (ending is not { } mesh) { return; }
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
                return _mesh ??= CoapMesh.ForClient(_settings, _settings.LocalEndPoint, _settings.LocalPorts, _resources);
            }
        }
    }

    private async ValueTask<T> RouteAsync<T>(
        RequestTarget target, Func<IChannel, CoapRequest, CancellationToken, ValueTask<T>> send, CancellationToken cancellationToken)
    {
        if (_settings.Network is not null) { return await SendToAsync(target, PeerIdentity.From(target.Host), Nowhere(target), send, mayWait: true, cancellationToken).ConfigureAwait(false); }
        var addresses = await _addresses.ResolveAsync(target.Host, cancellationToken).ConfigureAwait(false);
        for (var attempt = 0; ; attempt++)
        {
            var peer = new IPEndPoint(addresses[attempt], target.Port);
            try
            {
                return await SendToAsync(target, PeerIdentity.From(peer), peer, send, attempt + 1 == addresses.Count, cancellationToken).ConfigureAwait(false);
            }
            catch (CoapException exception) when (_addresses.HasFailed(target.Host, exception) && attempt + 1 < addresses.Count && IsUndelivered(exception))
            {
                // The next address of the name has its turn.
            }
        }
    }

    private T Route<T>(RequestTarget target, Func<IChannel, CoapRequest, CancellationToken, T> send, CancellationToken cancellationToken)
    {
        if (_settings.Network is not null) { return SendTo(target, PeerIdentity.From(target.Host), Nowhere(target), send, mayWait: true, cancellationToken); }
        var addresses = _addresses.Resolve(target.Host);
        for (var attempt = 0; ; attempt++)
        {
            var peer = new IPEndPoint(addresses[attempt], target.Port);
            try
            {
                return SendTo(target, PeerIdentity.From(peer), peer, send, attempt + 1 == addresses.Count, cancellationToken);
            }
            catch (CoapException exception) when (_addresses.HasFailed(target.Host, exception) && attempt + 1 < addresses.Count && IsUndelivered(exception))
            {
                // The next address of the name has its turn.
            }
        }
    }

    private async ValueTask<T> SendToAsync<T>(
        RequestTarget target, PeerIdentity peer, IPEndPoint address, Func<IChannel, CoapRequest, CancellationToken, ValueTask<T>> send, bool mayWait,
        CancellationToken cancellationToken)
    {
        var channel = await Mesh.OpenChannelAsync(target.Scheme, peer, target.HostName, mayWait, cancellationToken).ConfigureAwait(false);
        try
        {
            return await send(channel, target.RequestOver(channel, address), cancellationToken).ConfigureAwait(false);
        }
        catch (CoapTransportException exception) when (exception.IsUnsent)
        {
            // The connection ended before the request left (RFC 8323, section 3): the next one takes it.
            channel = await Mesh.OpenChannelAsync(target.Scheme, peer, target.HostName, mayWait, cancellationToken).ConfigureAwait(false);
            return await send(channel, target.RequestOver(channel, address), cancellationToken).ConfigureAwait(false);
        }
    }

    private T SendTo<T>(
        RequestTarget target, PeerIdentity peer, IPEndPoint address, Func<IChannel, CoapRequest, CancellationToken, T> send, bool mayWait,
        CancellationToken cancellationToken)
    {
        var channel = Mesh.OpenChannel(target.Scheme, peer, target.HostName, mayWait, cancellationToken);
        try
        {
            return send(channel, target.RequestOver(channel, address), cancellationToken);
        }
        catch (CoapTransportException exception) when (exception.IsUnsent)
        {
            // As above.
            channel = Mesh.OpenChannel(target.Scheme, peer, target.HostName, mayWait, cancellationToken);
            return send(channel, target.RequestOver(channel, address), cancellationToken);
        }
    }

    // On an in-memory network a peer has a name and no address, and ports mean nothing.
    private static IPEndPoint Nowhere(in RequestTarget target) => new(IPAddress.None, target.Port);

    // Only what surely did not reach the peer may be sent to another address: anything else could be acted on twice.
    private static bool IsUndelivered(CoapException exception) => exception is CoapTransportException { InnerException: System.Net.Sockets.SocketException } or CoapTransportException { RetryAfter: not null };

    private CoapMesh? End()
    {
        lock (_gate)
        {
            _isDisposed = true;
            return _mesh;
        }
    }
}
