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
    private readonly Dictionary<PeerIdentity, PendingConnection> _pending = [];
    private int _opened;

    /// <exception cref="CoapTransportException">The peer refuses, cannot be reached or does not answer in time.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public ValueTask<StreamChannel> OpenAsync(PeerIdentity peer, CancellationToken cancellationToken) =>
        TryFind(peer, out var channel) ? new(channel!) : OpenNewAsync(peer, cancellationToken);

    /// <inheritdoc cref="OpenAsync"/>
    public StreamChannel Open(PeerIdentity peer, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (Join(peer, out var pending, out var isOurs) is { } known) { return known; }
            if (isOurs) { Connect(peer, pending, cancellationToken); }
            if (Judge(peer, pending.Wait(cancellationToken)) is { } channel) { return channel; }
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    private async ValueTask<StreamChannel> OpenNewAsync(PeerIdentity peer, CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (Join(peer, out var pending, out var isOurs) is { } known) { return known; }
            if (isOurs) { _ = ConnectAsync(peer, pending); }
            if (Judge(peer, await pending.WaitAsync(cancellationToken).ConfigureAwait(false)) is { } channel) { return channel; }
        }
    }

    private bool TryFind(PeerIdentity peer, out StreamChannel? channel) => connections.TryFind(peer, out channel) && channel.IsUsable;

    /// <summary>The connection that is there, or the one to wait for.</summary>
    private StreamChannel? Join(PeerIdentity peer, out PendingConnection pending, out bool isOurs)
    {
        lock (_gate)
        {
            isOurs = false;
            pending = null!;
            if (TryFind(peer, out var channel)) { return channel; }
            if (_pending.TryGetValue(peer, out pending!)) { return null; }
            isOurs = true;
            _pending[peer] = pending = new PendingConnection();
            return null;
        }
    }

    private static StreamChannel? Judge(PeerIdentity peer, PendingConnection.Outcome outcome) => outcome.Error is { } error
        ? throw new CoapTransportException($"No connection to {peer}: {error.Message}", error)
        : outcome.Channel;

    // Not ended by a caller's token: the others still want the connection.
    private async Task ConnectAsync(PeerIdentity peer, PendingConnection pending)
    {
        try
        {
            IStreamConnection connection = peer.ToIPEndPoint() is { } remote
                ? await TcpConnector.ConnectAsync(remote, settings.Tcp, CancellationToken.None).ConfigureAwait(false)
                : ConnectInMemory(peer);
            Finish(peer, pending, connection, null);
        }
        catch (SocketException exception)
        {
            Finish(peer, pending, null, exception);
        }
    }

    private void Connect(PeerIdentity peer, PendingConnection pending, CancellationToken cancellationToken)
    {
        try
        {
            IStreamConnection connection = peer.ToIPEndPoint() is { } remote
                ? TcpConnector.Connect(remote, settings.Tcp, cancellationToken)
                : ConnectInMemory(peer);
            Finish(peer, pending, connection, null);
        }
        catch (SocketException exception)
        {
            Finish(peer, pending, null, exception);
        }
        catch (OperationCanceledException)
        {
            Finish(peer, pending, null, null);
        }
    }

    private IStreamConnection ConnectInMemory(in PeerIdentity peer)
    {
        var network = settings.Network ?? throw new SocketException((int)SocketError.HostNotFound);
        return network.Connect(PeerIdentity.From($"{name}:{Interlocked.Increment(ref _opened)}"), peer);
    }

    private void Finish(PeerIdentity peer, PendingConnection pending, IStreamConnection? connection, SocketException? error)
    {
        StreamChannel? channel;
        lock (_gate)
        {
            channel = connection is null ? null : connections.Adopt(connection);
            _pending.Remove(peer);
        }
        pending.Complete(new PendingConnection.Outcome(channel, error));
    }
}
