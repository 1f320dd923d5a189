using CoAP.TestSupport;

namespace CoAP.Formats.Tests;

/// <summary>Counts what it costs to refuse a payload.</summary>
internal static class Refusals
{
    /// <summary>Runs an action that fails because of its payload, and returns the bytes that it allocates, and the error.</summary>
    public static (long Bytes, CoapPayloadException Error) Of(Action action)
    {
        CoapPayloadException? error = null;
        var bytes = Allocations.Of(() =>
        {
            error = null;
            try { action(); }
            catch (CoapPayloadException refusal) { error = refusal; }
        });
        return (bytes, error ?? throw new InvalidOperationException("The payload was accepted."));
    }
}
