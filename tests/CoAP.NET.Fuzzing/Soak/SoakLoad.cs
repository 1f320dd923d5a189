using System.Net.Sockets;
using CoAP.Tool.LoadEngine;

namespace CoAP.Fuzzing.Soak;

/// <summary>Clients with mixed requests that come and go, and how long their requests took.</summary>
internal sealed class SoakLoad(IReadOnlyList<string> authorities)
{
    private const int Workers = 6;
    private const int MostCalls = 200;
    private const int LastSlow = 5;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(4);

    private readonly Lock _gate = new();
    private readonly LatencyHistogram _latencies = new();
    private readonly Dictionary<string, long> _failures = [];

    /// <summary>The number of calls that were answered.</summary>
    public long Answered { get; private set; }

    /// <summary>The number of calls that failed, by the type of the exception. All of them are documented ones.</summary>
    public IReadOnlyDictionary<string, long> Failures => _failures;

    /// <summary>Runs until it is canceled; all clients have ended then.</summary>
    public Task RunAsync(int seed, CancellationToken cancellationToken) =>
        Task.WhenAll(Enumerable.Range(0, Workers).Select(worker => Task.Run(() => WorkAsync(new Random(seed + worker), worker, cancellationToken), CancellationToken.None)));

    /// <summary>Returns the time that 99 % of the small requests since the last look did not exceed.</summary>
    public TimeSpan TakePercentile()
    {
        lock (_gate)
        {
            var p99 = TimeSpan.FromMicroseconds(_latencies.Percentile(0.99) / 1000.0);
            _latencies.Clear();
            return p99;
        }
    }

    // Each client lives for some calls, with a connection of its own.
    private async Task WorkAsync(Random random, int worker, CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            try
            {
                await using var client = new CoapClient(new CoapClientSettings { Timeout = Patience });
                var authority = authorities[worker % authorities.Count];
                for (var left = random.Next(1, MostCalls); left > 0 && !cancellationToken.IsCancellationRequested; left--)
                {
                    await TimeAsync(random.Next(40), which => CallAsync(client, authority, which, random, cancellationToken));
                }
            }
            catch (Exception exception) when (exception is SocketException or CoapException) { Count(exception); }
        }
    }

    // Only small requests tell how long a request waits: the others take as long as their bodies and handlers do.
    private async Task TimeAsync(int which, Func<int, Task> call)
    {
        var start = TimeProvider.System.GetTimestamp();
        try
        {
            await call(which);
            lock (_gate)
            {
                Answered++;
                if (which > LastSlow) { _latencies.Record((long)TimeProvider.System.GetElapsedTime(start).TotalNanoseconds); }
            }
        }
        catch (Exception exception) when (exception is CoapException or OperationCanceledException) { Count(exception); }
    }

    private static async Task CallAsync(CoapClient client, string authority, int which, Random random, CancellationToken cancellationToken)
    {
        switch (which)
        {
            case 0:
                await client.SendAsync(new CoapRequest(RequestCode.Put, $"{authority}/large") { Payload = new byte[random.Next(30_000)] }, cancellationToken);
                break;
            case 1:
                await client.GetAsync($"{authority}/large", cancellationToken);
                break;
            case 2:
                await client.SendAsync(new CoapRequest(RequestCode.Put, $"{authority}/streamed") { Payload = new byte[random.Next(30_000)] }, cancellationToken);
                break;
            case 3:
                await client.GetAsync($"{authority}/streamed", cancellationToken);
                break;
            case 4:
                await ObserveAsync(client, authority, random, cancellationToken);
                break;
            case 5:
                await client.GetAsync($"{authority}/late", cancellationToken);
                break;
            case 6:
                await client.SendAsync(new CoapRequest(RequestCode.Get, $"{authority}/small") { IsConfirmable = false }, cancellationToken);
                break;
            default:
                await client.GetAsync($"{authority}/small", cancellationToken);
                break;
        }
    }

    private static async Task ObserveAsync(CoapClient client, string authority, Random random, CancellationToken cancellationToken)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(Patience);
        var left = random.Next(1, 4);
        await foreach (var _ in client.ObserveAsync($"{authority}/seen", patience.Token))
        {
            if (--left == 0) { break; }
        }
    }

    private void Count(Exception exception)
    {
        lock (_gate) { _failures[exception.GetType().Name] = _failures.GetValueOrDefault(exception.GetType().Name) + 1; }
    }
}
