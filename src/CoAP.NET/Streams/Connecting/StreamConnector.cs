using System.Collections.Concurrent;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>The connections that we open: one for each endpoint, shared by all callers, opened anew when the last one has ended. Safe for concurrent use.</summary>
/// <remarks>
/// Whoever needs it first opens it: a sync caller on its own thread and with blocking calls, an async caller without holding a thread. The others wait.
/// </remarks>
internal sealed class StreamConnector(ConnectSettings settings, StreamConnections connections, string name)
{
    private readonly Lock _gate = new();
    private readonly ReconnectSettings _reconnecting = settings.Reconnecting;
    private readonly ConnectBackOff _backOff = new(settings.Reconnecting);
    private readonly StreamOpener _opener = new(settings, connections.WebSockets);
    private readonly StreamRedirects _redirects = new(settings.Time);
    private readonly ConcurrentDictionary<StreamTarget, StreamChannel> _open = new();
    private readonly Dictionary<StreamTarget, PendingConnection> _pending = [];
    private readonly HashSet<ITimer> _waits = [];
    private int _opened;
    private bool _isEnded;

    /// <param name="target">Where to.</param>
    /// <param name="mayWait">Whether to wait where the last attempts have failed; otherwise that is an error at once.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="CoapTransportException">The peer refuses, cannot be reached or does not answer in time, or did so a short while ago.</exception>
    /// <exception cref="CoapSecurityException">The connection cannot be secured.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public ValueTask<StreamChannel> OpenAsync(StreamTarget target, bool mayWait, CancellationToken cancellationToken) =>
        TryFind(target, out var channel) ? new(channel!) : OpenNewAsync(target, mayWait, cancellationToken);

    /// <inheritdoc cref="OpenAsync"/>
    public StreamChannel Open(StreamTarget target, bool mayWait, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (Join(target, mayWait, out var pending, out var isOurs) is { } known) { return known; }
            // Where the platform has only asynchronous calls, the caller waits like those who came later.
            if (isOurs && target.IsWebSocket) { _ = ConnectAsync(target, pending); }
            else if (isOurs) { Connect(target, pending, cancellationToken); }
            if (Judge(target, pending.Wait(cancellationToken)) is { } channel) { return channel; }
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>Nobody waits for the next attempt any more: the endpoint ends.</summary>
    public void End()
    {
        List<PendingConnection> waiting;
        lock (_gate)
        {
            _isEnded = true;
            foreach (var wait in _waits) { wait.Dispose(); }
            waiting = _waits.Count == 0 ? [] : [.. _pending.Values.Where(static pending => pending.IsWait)];
            _waits.Clear();
        }
        foreach (var pending in waiting) { pending.Complete(new PendingConnection.Outcome(null, new CoapTransportException("The endpoint has ended."))); }
    }

    private async ValueTask<StreamChannel> OpenNewAsync(StreamTarget target, bool mayWait, CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (Join(target, mayWait, out var pending, out var isOurs) is { } known) { return known; }
            if (isOurs) { _ = ConnectAsync(target, pending); }
            if (Judge(target, await pending.WaitAsync(cancellationToken).ConfigureAwait(false)) is { } channel) { return channel; }
        }
    }

    private bool TryFind(StreamTarget target, out StreamChannel? channel) => _open.TryGetValue(target, out channel) && channel.IsUsable;

    /// <summary>The connection that is there, or the one to wait for.</summary>
    private StreamChannel? Join(StreamTarget target, bool mayWait, out PendingConnection pending, out bool isOurs)
    {
        lock (_gate)
        {
            isOurs = false;
            pending = null!;
            if (TryFind(target, out var channel)) { return channel; }
            if (channel is not null) { Review(target, channel); }
            if (_backOff.WaitFor(target, Now) is { } backOff)
            {
                if (!mayWait || backOff.Wait > _reconnecting.Patience) { throw ConnectFailure.TooEarly(target, backOff.Wait, backOff.Reason); }
                if (!_pending.TryGetValue(target, out pending!)) { pending = Wait(target, backOff.Wait); }
                return null;
            }
            if (_pending.TryGetValue(target, out pending!)) { return null; }
            isOurs = true;
            _pending[target] = pending = new PendingConnection();
            return null;
        }
    }

    private long Now => settings.Time.GetElapsedTime(0).Ticks;

    // When the time is over nothing is there yet: whoever is first of those who waited goes and connects.
    private PendingConnection Wait(StreamTarget target, TimeSpan wait)
    {
        if (_isEnded) { throw new CoapTransportException("The endpoint has ended."); }
        var pending = new PendingConnection { IsWait = true };
        ITimer? timer = null;
        timer = settings.Time.CreateTimer(_ => OnTime(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _waits.Add(timer);
        _pending[target] = pending;
        // Timers leave out what is less than a millisecond.
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

    /// <summary>What became of a connection decides when the next one is opened, and where.</summary>
    private void Review(in StreamTarget target, StreamChannel channel)
    {
        _open.TryRemove(new(target, channel));
        if (channel.Departure is { } departure) { _redirects.Note(target, departure); }
        else if (channel.HasServed || channel.Life >= _reconnecting.StableAfter) { _backOff.Succeeded(target); }
        else
        {
            var endedAt = Now - settings.Time.GetElapsedTime(channel.EndedAt).Ticks;
            _backOff.Failed(target, new IOException($"it ended soon: {channel.EndReason}."), endedAt, Random.Shared.NextDouble());
        }
    }

    private static StreamChannel? Judge(in StreamTarget target, PendingConnection.Outcome outcome) =>
        outcome.Error is { } error ? throw ConnectFailure.Of(target, error) : outcome.Channel;

    // Not ended by a caller's token: the others still want the connection.
    private async Task ConnectAsync(StreamTarget target, PendingConnection pending)
    {
        try
        {
            var connection = await OpenNextAsync(target).ConfigureAwait(false);
            Finish(target, pending, connection, null);
        }
        catch (Exception exception) // Whatever it was, those who wait have to be told.
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
        catch (OperationCanceledException)
        {
            Finish(target, pending, null, null);
        }
        catch (Exception exception) // As above.
        {
            Finish(target, pending, null, exception);
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
            // A wish of the server's to be left alone is no failure.
            else if (error is not null and not CoapTransportException) { _backOff.Failed(target, error, Now, Random.Shared.NextDouble()); }
            _pending.Remove(target);
        }
        pending.Complete(new PendingConnection.Outcome(channel, error));
    }

    // What has ended is forgotten when the next one is opened: there are never more than were open at the same time.
    private void Remember(StreamTarget target, StreamChannel channel)
    {
        foreach (var (other, open) in _open)
        {
            if (open.IsClosed) { Review(other, open); }
        }
        _open[target] = channel;
        _redirects.HasConnected(target);
    }
}
