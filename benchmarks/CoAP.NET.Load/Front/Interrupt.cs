namespace CoAP.Load.Front;

/// <summary>The key that ends a run, with what has been measured until then.</summary>
internal static class Interrupt
{
    /// <summary>Cancels instead of ending the process.</summary>
    public static void Cancels(CancellationTokenSource stop) => Console.CancelKeyPress += (_, press) =>
    {
        press.Cancel = true;
        stop.Cancel();
    };
}
