using System.Collections.Concurrent;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>Opens connections: one for each target, shared by all callers, and a new one when it has ended. Safe for concurrent use.</summary>
/// <remarks>
/// The first caller opens the connection: a sync caller with blocking calls on its own thread, an async caller without holding a thread. Other callers wait.
/// </remarks>
internal sealed class StreamConnector(ConnectSettings settings, StreamConnections connections, string name)
{
    private readonly Lock _gate = new();
    private readonly ReconnectSettings _reconnecting = settings.Reconnect;
    private readonly ConnectBackOff _backOff = new(settings.Reconnect);
    private readonly StreamOpener _opener = new(settings, connections.WebSockets);
    private readonly StreamRedirects _redirects = new(settings.Time);
    private readonly ConcurrentDictionary<StreamTarget, StreamChannel> _open = new();
    private readonly Dictionary<StreamTarget, PendingConnection> _pending = [];
    private readonly HashSet<ITimer> _waits = [];
    private int _opened;
    private bool _hasEnded;

    /// <summary>Returns the connection to a target, opening it if there is none.</summary>
    /// <param name="target">The target.</param>
    /// <param name="mayWait">Whether to wait for the next attempt after failures. Otherwise the method throws at once.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="CoapTransportException">The peer refuses, cannot be reached or does not respond in time, or the last attempt failed.</exception>
    /// <exception cref="CoapSecurityException">The connection cannot be secured.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public ValueTask<StreamChannel> OpenAsync(StreamTarget target, bool mayWait, CancellationToken cancellationToken) =>
        TryFind(target, out var channel) ? new(channel!) : OpenNewAsync(target, mayWait, cancellationToken);

    /// <inheritdoc cref="OpenAsync"/>
    public StreamChannel Open(StreamTarget target, bool mayWait, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (FindOrStart(target, mayWait, out var pending, out var isOurs) is { } known) { return known; }
            // WebSockets have only asynchronous calls, so this caller waits like the others.
            if (isOurs && target.IsWebSocket) { _ = ConnectAsync(target, pending); }
            else if (isOurs) { Connect(target, pending, cancellationToken); }
            if (GetResult(target, pending.Wait(cancellationToken)) is { } channel) { return channel; }
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>Fails all callers that wait for the next attempt, because the endpoint ends.</summary>
    public void End()
    {
        List<PendingConnection> waiting;
        lock (_gate)
        {
            _hasEnded = true;
            foreach (var wait in _waits) { wait.Dispose(); }
            waiting = _waits.Count == 0 ? [] : [.. _pending.Values.Where(static pending => pending.IsBackOff)];
            _waits.Clear();
        }
        foreach (var pending in waiting) { pending.Complete(new PendingConnection.Outcome(null, new CoapTransportException("The endpoint has ended."))); }
    }

    private async ValueTask<StreamChannel> OpenNewAsync(StreamTarget target, bool mayWait, CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (FindOrStart(target, mayWait, out var pending, out var isOurs) is { } known) { return known; }
            if (isOurs) { _ = ConnectAsync(target, pending); }
            if (GetResult(target, await pending.WaitAsync(cancellationToken).ConfigureAwait(false)) is { } channel) { return channel; }
        }
    }

    private bool TryFind(StreamTarget target, out StreamChannel? channel) => _open.TryGetValue(target, out channel) && channel.IsUsable;

    /// <summary>Returns the open connection, or the pending one to wait for.</summary>
    private StreamChannel? FindOrStart(StreamTarget target, bool mayWait, out PendingConnection pending, out bool isOurs)
    {
        lock (_gate)
        {
            isOurs = false;
            pending = null!;
            if (TryFind(target, out var channel)) { return channel; }
            if (channel is not null) { RecordEnd(target, channel); }
            if (_backOff.WaitFor(target, Now) is { } backOff)
            {
                if (!mayWait || backOff.Wait > _reconnecting.MaxRequestWait) { throw ConnectFailure.TooEarly(target, backOff.Wait, backOff.Reason); }
                if (!_pending.TryGetValue(target, out pending!)) { pending = StartWait(target, backOff.Wait); }
                return null;
            }
            if (_pending.TryGetValue(target, out pending!)) { return null; }
            isOurs = true;
            _pending[target] = pending = new PendingConnection();
            return null;
        }
    }

    private long Now => settings.Time.GetElapsedTime(0).Ticks;

    // The wait ends without a connection. Then the first of the waiting callers opens it.
    private PendingConnection StartWait(StreamTarget target, TimeSpan wait)
    {
        if (_hasEnded) { throw new CoapTransportException("The endpoint has ended."); }
        var pending = new PendingConnection { IsBackOff = true };
        ITimer? timer = null;
        timer = settings.Time.CreateTimer(_ => OnTime(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _waits.Add(timer);
        _pending[target] = pending;
        // Timers ignore fractions of a millisecond.
        timer.Change(TimeSpan.FromMilliseconds(Math.Ceiling(wait.TotalMilliseconds)), Timeout.InfiniteTimeSpan);
        return pending;

        void OnTime()
        {
            lock (_gate)
            {
                _pending.Remove(target);
                _waits.Remove(timer!);
            }
            timer!.Dispose();
            pending.Complete(new PendingConnection.Outcome(null, null));
        }
    }

    /// <summary>Records how a connection has ended. It decides when and where the next one is opened.</summary>
    private void RecordEnd(in StreamTarget target, StreamChannel channel)
    {
        _open.TryRemove(new(target, channel));
        var lifetime = channel.Lifetime;
        if (lifetime.Advice is { } advice) { _redirects.Record(target, advice); }
        else if (lifetime.HasMessages || lifetime.UsableTime >= _reconnecting.StableAfter) { _backOff.Succeeded(target); }
        else
        {
            var endedAt = Now - settings.Time.GetElapsedTime(lifetime.RetiredAt).Ticks;
            _backOff.Failed(target, new IOException($"it ended soon: {lifetime.Reason ?? "the peer released it"}."), endedAt, Random.Shared.NextDouble());
        }
    }

    private static StreamChannel? GetResult(in StreamTarget target, PendingConnection.Outcome outcome) =>
        outcome.Error is { } error ? throw ConnectFailure.Of(target, error) : outcome.Channel;

    // A caller's token does not cancel it, because other callers wait for the connection.
    private async Task ConnectAsync(StreamTarget target, PendingConnection pending)
    {
        try
        {
            Finish(target, pending, await OpenNextAsync(target).ConfigureAwait(false), null);
        }
        catch (Exception exception) // The waiting callers get every error.
        {
            Finish(target, pending, null, exception);
        }
    }

    private void Connect(StreamTarget target, PendingConnection pending, CancellationToken cancellationToken)
    {
        try
        {
            Finish(target, pending, OpenNext(target, cancellationToken), null);
        }
        catch (Exception exception) // As above. If this caller is canceled, another one tries.
        {
            Finish(target, pending, null, exception is OperationCanceledException ? null : exception);
        }
    }

    private async ValueTask<IStreamConnection> OpenNextAsync(StreamTarget target)
    {
        var next = _redirects.Next(target, out var isAlternative);
        try { return await OpenAtAsync(next).ConfigureAwait(false); }
        catch (Exception exception) when (isAlternative && exception is SocketException or IOException)
        {
            _redirects.OnFailed(target);
            return await OpenAtAsync(target).ConfigureAwait(false);
        }
    }

    private IStreamConnection OpenNext(StreamTarget target, CancellationToken cancellationToken)
    {
        var next = _redirects.Next(target, out var isAlternative);
        try { return OpenAt(next, cancellationToken); }
        catch (Exception exception) when (isAlternative && exception is SocketException or IOException)
        {
            _redirects.OnFailed(target);
            return OpenAt(target, cancellationToken);
        }
    }

    private async ValueTask<IStreamConnection> OpenAtAsync(StreamTarget address) =>
        address.IsInMemory ? ConnectInMemory(address.Peer) : await _opener.OpenAsync(address).ConfigureAwait(false);

    private IStreamConnection OpenAt(StreamTarget address, CancellationToken cancellationToken) =>
        address.IsInMemory ? ConnectInMemory(address.Peer) : _opener.Open(address, cancellationToken);

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
            // A Hold-Off of the server is not a failure.
            else if (error is not null and not CoapTransportException) { _backOff.Failed(target, error, Now, Random.Shared.NextDouble()); }
            _pending.Remove(target);
        }
        pending.Complete(new PendingConnection.Outcome(channel, error));
    }

    // Ended connections are removed here, so there are never more entries than connections that were open at the same time.
    private void Remember(StreamTarget target, StreamChannel channel)
    {
        foreach (var (other, open) in _open)
        {
            if (open.IsClosed) { RecordEnd(other, open); }
        }
        _open[target] = channel;
        _redirects.OnConnected(target);
    }
}
