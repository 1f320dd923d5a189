namespace CoAP.Formats.Tests;

/// <summary>Counts what a call allocates on its thread.</summary>
internal static class Allocations
{
    /// <summary>Runs an action that fails because of its payload, and returns the bytes that it has allocated, and the error.</summary>
    public static (long Bytes, CoapPayloadException Error) OfRefusal(Action action)
    {
        try { action(); }
        catch (CoapPayloadException)
        {
            // The first run compiles and fills caches.
        }
        var before = GC.GetAllocatedBytesForCurrentThread();
        try { action(); }
        catch (CoapPayloadException error) { return (GC.GetAllocatedBytesForCurrentThread() - before, error); }
        throw new InvalidOperationException("The payload was accepted.");
    }
}
