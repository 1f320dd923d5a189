using System.Collections.Concurrent;

namespace CoAP.Measurements.Reporting;

/// <summary>What is disposed of when the time is taken. Safe for concurrent use.</summary>
internal sealed class Leftovers : IAsyncDisposable
{
    private readonly ConcurrentBag<IAsyncDisposable> _all = [];

    public void Add(IAsyncDisposable one) => _all.Add(one);

    public async ValueTask DisposeAsync() => await Task.WhenAll(_all.Select(one => one.DisposeAsync().AsTask()));
}
