using CoAP.Tool.Printing;

namespace CoAP.Tool.Observing;

/// <summary>A notification as one line of JSON, for scripts.</summary>
internal static class NotificationReport
{
    public static string Of(Notification notification) => JsonReport.Of(notification.Response, writer =>
    {
        if (notification.Sequence is { } sequence) { writer.WriteNumber("sequence", sequence); }
        writer.WriteNumber("seconds", Math.Round(notification.Elapsed.TotalSeconds, 3));
        writer.WriteNumber("skipped", notification.Skipped);
    });
}
