using System.Collections.Concurrent;
using System.Net.Sockets;
using CoAP.Channels;
using CoAP.Transports;

namespace CoAP.Mesh;

/// <summary>The connections that we open: one for each endpoint, shared by all callers, opened anew when the last one has ended. Safe for concurrent use.</summary>
/// <remarks>
/// Whoever needs it first opens it: a sync caller on its own thread and with blocking calls, an async caller without holding a thread. The others wait.
/// </remarks>
internal sealed class StreamConnector(CoapEndpointSettings settings, StreamConnections connections, string name)
{
    private readonly Lock _gate = new();
    private readonly StreamOpener _opener = new(settings, connections.WebSockets);
    private readonly StreamRedirects _redirects = new(settings.TimeProvider);
    private readonly ConcurrentDictionary<StreamTarget, StreamChannel> _open = new();
    private readonly Dictionary<StreamTarget, PendingConnection> _pending = [];
    private int _opened;

    /// <exception cref="CoapTransportException">The peer refuses, cannot be reached or does not answer in time.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public ValueTask<StreamChannel> OpenAsync(StreamTarget target, CancellationToken cancellationToken) =>
        TryFind(target, out var channel) ? new(channel!) : OpenNewAsync(target, cancellationToken);

    /// <inheritdoc cref="OpenAsync"/>
    public StreamChannel Open(StreamTarget target, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (Join(target, out var pending, out var isOurs) is { } known) { return known; }
            // Where the platform has only asynchronous calls, the caller waits like those who came later.
            if (isOurs && target.IsWebSocket) { _ = ConnectAsync(target, pending); }
            else if (isOurs) { Connect(target, pending, cancellationToken); }
            if (Judge(target, pending.Wait(cancellationToken)) is { } channel) { return channel; }
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    private async ValueTask<StreamChannel> OpenNewAsync(StreamTarget target, CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (Join(target, out var pending, out var isOurs) is { } known) { return known; }
            if (isOurs) { _ = ConnectAsync(target, pending); }
            if (Judge(target, await pending.WaitAsync(cancellationToken).ConfigureAwait(false)) is { } channel) { return channel; }
        }
    }

    private bool TryFind(StreamTarget target, out StreamChannel? channel) => _open.TryGetValue(target, out channel) && channel.IsUsable;

    /// <summary>The connection that is there, or the one to wait for.</summary>
    private StreamChannel? Join(StreamTarget target, out PendingConnection pending, out bool isOurs)
    {
        lock (_gate)
        {
            isOurs = false;
            pending = null!;
            if (TryFind(target, out var channel)) { return channel; }
            if (_pending.TryGetValue(target, out pending!)) { return null; }
            if (channel?.Departure is { } departure)
            {
                _redirects.Note(target, departure);
                _open.TryRemove(target, out _);
            }
            isOurs = true;
            _pending[target] = pending = new PendingConnection();
            return null;
        }
    }

    private static StreamChannel? Judge(StreamTarget target, PendingConnection.Outcome outcome) => outcome.Error switch
    {
        null => outcome.Channel,
        CoapTransportException exception => throw exception,
        TlsHandshakeException exception => throw new CoapSecurityException(exception.Failure, exception.Message, exception),
        // The runtime's word for a path without a socket is that the address cannot be assigned.
        System.Net.Sockets.SocketException error when target.UnixPath is { } path => throw new CoapTransportException($"Nobody listens at the local socket {path}.", error),
        var error => throw new CoapTransportException($"No connection to {target.Peer}: {error.Message}", error),
    };

    // Not ended by a caller's token: the others still want the connection.
    private async Task ConnectAsync(StreamTarget target, PendingConnection pending)
    {
        try
        {
            var connection = await OpenNextAsync(target).ConfigureAwait(false);
            Finish(target, pending, connection, null);
        }
        catch (Exception exception) when (exception is SocketException or IOException or CoapTransportException)
        {
            Finish(target, pending, null, exception);
        }
    }

    private void Connect(StreamTarget target, PendingConnection pending, CancellationToken cancellationToken)
    {
        try
        {
            var connection = OpenNext(target, cancellationToken);
            Finish(target, pending, connection, null);
        }
        catch (Exception exception) when (exception is SocketException or IOException or CoapTransportException)
        {
            Finish(target, pending, null, exception);
        }
        catch (OperationCanceledException)
        {
            Finish(target, pending, null, null);
        }
    }

    private async ValueTask<IStreamConnection> OpenNextAsync(StreamTarget target)
    {
        var next = _redirects.Next(target, out var isElsewhere);
        try { return await OpenAtAsync(next).ConfigureAwait(false); }
        catch (Exception exception) when (isElsewhere && exception is SocketException or IOException)
        {
            _redirects.HasFailed(target);
            return await OpenAtAsync(target).ConfigureAwait(false);
        }
    }

    private IStreamConnection OpenNext(StreamTarget target, CancellationToken cancellationToken)
    {
        var next = _redirects.Next(target, out var isElsewhere);
        try { return OpenAt(next, cancellationToken); }
        catch (Exception exception) when (isElsewhere && exception is SocketException or IOException)
        {
            _redirects.HasFailed(target);
            return OpenAt(target, cancellationToken);
        }
    }

    private async ValueTask<IStreamConnection> OpenAtAsync(StreamTarget place) =>
        place.IsInMemory ? ConnectInMemory(place.Peer) : await _opener.OpenAsync(place).ConfigureAwait(false);

    private IStreamConnection OpenAt(StreamTarget place, CancellationToken cancellationToken) =>
        place.IsInMemory ? ConnectInMemory(place.Peer) : _opener.Open(place, cancellationToken);

    private IStreamConnection ConnectInMemory(in PeerIdentity peer)
    {
        var network = settings.Network ?? throw new SocketException((int)SocketError.HostNotFound);
        return network.Connect(PeerIdentity.From($"{name}:{Interlocked.Increment(ref _opened)}"), peer);
    }

    private void Finish(StreamTarget target, PendingConnection pending, IStreamConnection? connection, Exception? error)
    {
        StreamChannel? channel;
        lock (_gate)
        {
            channel = connection is null ? null : connections.Adopt(connection);
            if (channel is not null) { Remember(target, channel); }
            _pending.Remove(target);
        }
        pending.Complete(new PendingConnection.Outcome(channel, error));
    }

    // What has ended is forgotten when the next one is opened: there are never more than were open at the same time.
    private void Remember(StreamTarget target, StreamChannel channel)
    {
        foreach (var (other, open) in _open)
        {
            if (!open.IsClosed) { continue; }
            if (open.Departure is { } departure && other != target) { _redirects.Note(other, departure); }
            _open.TryRemove(new(other, open));
        }
        _open[target] = channel;
        _redirects.HasConnected(target);
    }
}
