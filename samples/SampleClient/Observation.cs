using CoAP;

namespace SampleClient;

/// <summary>Observes a resource for a while and prints one state per line.</summary>
internal static class Observation
{
    /// <summary>Whether all notifications were states and none was an error.</summary>
    public static async Task<bool> PrintAsync(CoapClient client, Arguments arguments, TimeSpan time, Stream output, TextWriter log)
    {
        await using var states = new StreamWriter(output, leaveOpen: true) { AutoFlush = true };
        using var end = new CancellationTokenSource(time);
        var isSuccess = false;
        try
        {
            if (arguments.IsSync)
            {
                foreach (var notification in client.Observe(arguments.Request, end.Token)) { isSuccess = Print(notification, states, log); }
            }
            else
            {
                await foreach (var notification in client.ObserveAsync(arguments.Request, end.Token)) { isSuccess = Print(notification, states, log); }
            }
            log.WriteLine("The server ended the observation.");
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            if (!isSuccess) { throw new TimeoutException("No notification arrived."); }
        }
        return isSuccess;
    }

    private static bool Print(Notification notification, TextWriter states, TextWriter log)
    {
        log.WriteLine($"{notification.Response.Code}, Observe {notification.Sequence}, after {notification.Elapsed.TotalSeconds:0.000} s");
        states.WriteLine(notification.Response.PayloadText);
        return notification.Response.IsSuccess;
    }
}
