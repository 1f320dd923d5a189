using System.Runtime.CompilerServices;

namespace Backend;

/// <summary>Tells a page what has changed.</summary>
internal sealed class LiveFeed(ControllerTable controllers, ReadingPipeline pipeline, BackendSettings settings, IHostApplicationLifetime lifetime)
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(250);

    /// <remarks>A page that reads slowly gets fewer updates with the newest states.</remarks>
    public async IAsyncEnumerable<LiveUpdate> WatchAsync(LiveSelection selection, [EnumeratorCancellation] CancellationToken aborted = default)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(lifetime.ApplicationStopping, aborted);
        using var timer = new PeriodicTimer(Period);
        bool? wasDown = null;
        do
        {
            var (changed, gone) = selection.Next();
            if (changed.Count + gone.Count == 0 && wasDown == pipeline.IsDown) { continue; }
            wasDown = pipeline.IsDown;
            yield return new($"{settings.Store}", pipeline.IsDown, controllers.Count, [.. changed.Select(ControllerState.Of)], gone);
        }
        while (await WaitAsync(timer, end.Token));
    }

    private static async ValueTask<bool> WaitAsync(PeriodicTimer timer, CancellationToken cancellationToken)
    {
        try { return await timer.WaitForNextTickAsync(cancellationToken); }
        catch (OperationCanceledException) { return false; }
    }
}
