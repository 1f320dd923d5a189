using CoAP;

namespace SampleClient;

/// <summary>Observes a resource for a while and prints each state on a line of its own.</summary>
internal static class Observation
{
    /// <summary>Whether all that came were states and no errors.</summary>
    public static async Task<bool> PrintAsync(CoapClient client, Arguments arguments, TimeSpan time)
    {
        using var end = new CancellationTokenSource(time);
        var isSuccess = false;
        try
        {
            if (arguments.IsSync)
            {
                foreach (var notification in client.Observe(arguments.Request, end.Token)) { isSuccess = Print(notification); }
            }
            else
            {
                await foreach (var notification in client.ObserveAsync(arguments.Request, end.Token)) { isSuccess = Print(notification); }
            }
            Console.Error.WriteLine("The server notifies no more.");
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            if (!isSuccess) { throw new TimeoutException("Nothing came."); }
        }
        return isSuccess;
    }

    private static bool Print(Notification notification)
    {
        Console.Error.WriteLine($"{notification.Response.Code}, Observe {notification.Sequence}, after {notification.Elapsed.TotalSeconds:0.000} s");
        Console.WriteLine(notification.Response.PayloadText);
        return notification.Response.IsSuccess;
    }
}
