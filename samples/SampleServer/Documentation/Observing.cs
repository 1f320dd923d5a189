using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using CoAP;

namespace SampleServer;

/// <summary>The observable resources of the page "Observing".</summary>
internal static class Observing
{
    public static void Map(ResourceMap resources)
    {
        var levels = new ConcurrentDictionary<string, string>();

        var tanks = resources.At("tanks/{id}")
            .Get(request => levels.TryGetValue(request["id"], out var level) ? Response.Content(level) : Response.NotFound)
            .Observable();
        tanks.Put(request =>
        {
            levels[request["id"]] = request.PayloadText;
            tanks.NotifyChanged($"tanks/{request["id"]}");
            return Response.Changed;
        });
    }

    public static void MapSequence(ResourceMap resources, CancellationToken cancellationToken)
    {
        resources.At("ticks").Observable(TicksAsync(cancellationToken), cancellationToken);
    }

    private static async IAsyncEnumerable<CoapResponse> TicksAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1));
        for (var count = 1; await timer.WaitForNextTickAsync(cancellationToken); count++)
        {
            yield return Response.Content($"{count}");
        }
    }

    public static async Task KeepObserversAsync(CancellationToken cancellationToken)
    {
        await using var server = new CoapServer(new CoapServerSettings { ServerObservations = new ServerObservationSettings { Store = new FileObserverStore("observers") } });
        Map(server.Resources);
        await server.RunAsync(cancellationToken);
    }
}
