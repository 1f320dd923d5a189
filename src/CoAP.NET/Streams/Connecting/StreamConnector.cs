using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
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
    private readonly StreamRedirects _redirects = new(settings.Time, settings.Reconnect.AllowsOtherHosts, connections.Log);
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
        TryFind(target, out var channel) ? new(channel) : new(OpenNewAsync(target, mayWait, isBlocking: false, cancellationToken));

    /// <inheritdoc cref="OpenAsync"/>
    public StreamChannel Open(StreamTarget target, bool mayWait, CancellationToken cancellationToken) =>
        TryFind(target, out var channel)
            ? channel
            : OpenNewAsync(target, mayWait, isBlocking: true, cancellationToken).GetAwaiter().GetResult();

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
        foreach (var pending in waiting) { pending.Complete(new(null, CoapTransportException.ClientEnded())); }
    }

    private async Task<StreamChannel> OpenNewAsync(StreamTarget target, bool mayWait, bool isBlocking, CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (FindOrStart(target, mayWait, out var pending, out var isOurs) is { } known) { return known; }
            // The token of an async caller does not end the attempt, because other callers wait for the connection.
            if (isOurs) { _ = ConnectAsync(target, pending, isBlocking, isBlocking ? cancellationToken : CancellationToken.None); }
            var (channel, error) = await pending.WaitAsync(isBlocking, cancellationToken).ConfigureAwait(false);
            if (error is not null) { throw ConnectFailure.Of(target, error); }
            if (channel is not null) { return channel; }
        }
    }

    private bool TryFind(StreamTarget target, [NotNullWhen(true)] out StreamChannel? channel) =>
        _open.TryGetValue(target, out channel) && channel.IsUsable;

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
            _pending[target] = pending = new PendingConnection(settings.Runtime);
            return null;
        }
    }

    private long Now => settings.Time.GetElapsedTime(0).Ticks;

    // The wait ends without a connection. Then the first of the waiting callers opens it.
    private PendingConnection StartWait(StreamTarget target, TimeSpan wait)
    {
        if (_hasEnded) { throw CoapTransportException.ClientEnded(); }
        var pending = new PendingConnection(settings.Runtime) { IsBackOff = true };
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
            pending.Complete(new(null, null));
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
            var error = new IOException($"it ended soon: {lifetime.Reason ?? "the peer released it"}.");
            _backOff.Failed(target, error, endedAt, settings.Runtime.NextDouble());
        }
    }

    private async Task ConnectAsync(StreamTarget target, PendingConnection pending, bool isBlocking, CancellationToken cancellationToken)
    {
        try
        {
            Finish(target, pending, await OpenNextAsync(target, isBlocking, cancellationToken).ConfigureAwait(false), null);
        }
        catch (Exception exception) // The waiting callers get every error. If this caller is canceled, another one tries.
        {
            var isCanceled = exception is OperationCanceledException && cancellationToken.IsCancellationRequested;
            Finish(target, pending, null, isCanceled ? null : exception);
        }
    }

    private async Task<IStreamConnection> OpenNextAsync(StreamTarget target, bool isBlocking, CancellationToken cancellationToken)
    {
        var next = _redirects.Next(target, out var isAlternative);
        try { return await OpenAtAsync(next, isBlocking, cancellationToken).ConfigureAwait(false); }
        catch (Exception exception) when (isAlternative && exception is SocketException or IOException)
        {
            _redirects.OnFailed(target);
            return await OpenAtAsync(target, isBlocking, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<IStreamConnection> OpenAtAsync(StreamTarget address, bool isBlocking, CancellationToken cancellationToken) =>
        address.IsInMemory
            ? ConnectInMemory(address.Peer)
            : await _opener.OpenAsync(address, isBlocking, cancellationToken).ConfigureAwait(false);

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
            else if (error is not null and not CoapTransportException)
            {
                _backOff.Failed(target, error, Now, settings.Runtime.NextDouble());
            }
            _pending.Remove(target);
        }
        pending.Complete(new(channel, error));
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
