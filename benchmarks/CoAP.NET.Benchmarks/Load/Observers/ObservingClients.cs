using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Clients that observe one resource many times each, and count what they receive.</summary>
internal sealed class ObservingClients : IAsyncDisposable
{
    private readonly CoapClient[] _clients;
    private readonly CancellationTokenSource _ending = new();
    private readonly ObserversPlan _plan;
    private readonly string _uri;
    private readonly TimeSpan _longest;
    private Task _running = Task.CompletedTask;
    private long _received;
    private long _expired;
    private long _failed;

    public ObservingClients(ObserversPlan plan, string uri)
    {
        (_plan, _uri) = (plan, uri);
        // The next state is late if it arrives after this. The half second allows for its way.
        _longest = plan.MaxAge + TimeSpan.FromSeconds(0.5);
        _clients = [.. Enumerable.Range(0, plan.Clients).Select(static number => new CoapClient(Limits.Client with
        {
            LocalEndPoint = new IPEndPoint(new IPAddress([127, 0, 1, (byte)(number + 1)]), 0),
            ClientObservations = new() { DeregistersOnEnd = false },
        }))];
    }

    /// <summary>The states that came after the one before had expired, since the count began.</summary>
    public long Expired => Interlocked.Read(ref _expired);

    /// <summary>The observations that ended.</summary>
    public long Failed => Interlocked.Read(ref _failed);

    /// <summary>Returns when all observers have a first state.</summary>
    public async Task RegisterAsync()
    {
        var registered = Task.WhenAll(_clients.Select(async client =>
        {
            List<Task> running = [];
            for (var number = 0; number < _plan.PerClient; number++)
            {
                var first = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                running.Add(ObserveAsync(client, first));
                await first.Task;
            }
            return Task.WhenAll(running);
        }));
        _running = Task.WhenAll(await registered);
    }

    /// <summary>Counts the states of each second.</summary>
    public async Task<long[]> CountAsync(TimeSpan time)
    {
        using var seconds = new PeriodicTimer(TimeSpan.FromSeconds(1));
        var counts = new long[(int)time.TotalSeconds];
        Interlocked.Exchange(ref _expired, 0);
        var before = Interlocked.Read(ref _received);
        for (var second = 0; second < counts.Length; second++)
        {
            await seconds.WaitForNextTickAsync();
            var now = Interlocked.Read(ref _received);
            (counts[second], before) = (now - before, now);
        }
        return counts;
    }

    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync();
        await _running;
        foreach (var client in _clients) { await client.DisposeAsync(); }
        _ending.Dispose();
    }

    private async Task ObserveAsync(CoapClient client, TaskCompletionSource first)
    {
        try
        {
            var last = Clock.Now;
            await foreach (var _ in client.ObserveAsync(_uri, _ending.Token))
            {
                Interlocked.Increment(ref _received);
                if (Stopwatch.GetElapsedTime(last) > _longest) { Interlocked.Increment(ref _expired); }
                last = Clock.Now;
                first.TrySetResult();
            }
        }
        catch (OperationCanceledException) when (_ending.IsCancellationRequested)
        {
            // The measurement has ended.
        }
        catch (CoapException exception)
        {
            if (Interlocked.Increment(ref _failed) == 1) { Console.Error.WriteLine(exception.Message); }
        }
        finally { first.TrySetResult(); }
    }
}
