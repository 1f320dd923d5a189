using System.Runtime.CompilerServices;
using CoAP;

namespace Backend;

/// <summary>What the page asks for over HTTP.</summary>
internal static class WebEndpoints
{
    private const int MostInUpdate = 200;
    private const int MostReadings = 600;

    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(250);

    public static void Map(IEndpointRouteBuilder routes)
    {
        routes.MapGet("/api/live", (ControllerTable controllers, ReadingPipeline pipeline, BackendSettings settings, IHostApplicationLifetime lifetime) =>
            TypedResults.ServerSentEvents(WatchAsync(controllers, pipeline, settings, lifetime.ApplicationStopping)));
        routes.MapGet("/api/controllers/{id}/readings", async (string id, IReadingStore store, CancellationToken cancellationToken) =>
            TypedResults.Ok(await store.ReadNewestAsync(id, MostReadings, cancellationToken)));
        routes.MapGet("/api/stored", async (IReadingStore store, CancellationToken cancellationToken) => TypedResults.Ok(await store.CountAsync(cancellationToken)));
        routes.MapPut("/api/controllers/{id}/setpoint", SetAsync);
    }

    private static async Task<IResult> SetAsync(string id, SetPoint setPoint, ControllerResources resources, CancellationToken cancellationToken)
    {
        try { return TypedResults.Ok(await resources.SetAsync(id, setPoint, cancellationToken)); }
        catch (CoapResponseException exception) { return TypedResults.BadRequest(new WebProblem(exception.Message)); }
    }

    // A page that reads slowly gets fewer updates with the newest states.
    private static async IAsyncEnumerable<LiveUpdate> WatchAsync(
        ControllerTable controllers, ReadingPipeline pipeline, BackendSettings settings, CancellationToken stopping, [EnumeratorCancellation] CancellationToken aborted = default)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(stopping, aborted);
        using var timer = new PeriodicTimer(Period);
        var versions = new Dictionary<string, long>(StringComparer.Ordinal);
        bool? wasDown = null;
        do
        {
            var changed = controllers.All.Where(one => versions.GetValueOrDefault(one.Id, -1) != one.Version).Take(MostInUpdate).ToArray();
            if (changed.Length == 0 && wasDown == pipeline.IsDown) { continue; }
            foreach (var one in changed) { versions[one.Id] = one.Version; }
            wasDown = pipeline.IsDown;
            yield return new($"{settings.Store}", pipeline.IsDown, [.. changed.Select(ControllerState.Of)]);
        }
        while (await WaitAsync(timer, end.Token));
    }

    private static async ValueTask<bool> WaitAsync(PeriodicTimer timer, CancellationToken cancellationToken)
    {
        try { return await timer.WaitForNextTickAsync(cancellationToken); }
        catch (OperationCanceledException) { return false; }
    }
}
