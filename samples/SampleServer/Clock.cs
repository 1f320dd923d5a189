using System.Globalization;
using CoAP;

namespace SampleServer;

/// <summary>The time in UTC. Observers get a notification every second.</summary>
internal static class Clock
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    public static Resource Map(ResourceMap resources, CancellationToken end)
    {
        var time = resources.At("time").Observable(confirmable: true).WithLink(rt: "clock", title: "The time in UTC");
        var ticks = new Ticks(time, Second, end);
        return time.Get(request =>
        {
            ticks.BeginFor(request);
            return Response.Content(DateTime.UtcNow.ToString("O", CultureInfo.InvariantCulture));
        });
    }
}
