using System.Globalization;
using CoAP;

namespace SampleServer;

/// <summary>The time in UTC. Observers get a notification every second.</summary>
internal static class Clock
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    public static Resource Map(ResourceMap resources, CancellationToken end)
    {
        var time = resources.At("time")
            .Get((_, _) => new(Response.Content(DateTime.UtcNow.ToString("O", CultureInfo.InvariantCulture))))
            .Observable(confirmable: true)
            .WithLink(rt: "clock", title: "The time in UTC");
        _ = NotifyAsync(time, Second, end);
        return time;
    }

    /// <summary>Notifies the observers of a resource at an interval.</summary>
    public static async Task NotifyAsync(Resource resource, TimeSpan period, CancellationToken end)
    {
        using var timer = new PeriodicTimer(period);
        try
        {
            while (await timer.WaitForNextTickAsync(end)) { resource.NotifyChanged(); }
        }
        catch (OperationCanceledException)
        {
            // The server is stopping.
        }
    }
}
