using Microsoft.CodeAnalysis;

namespace CoAP.Analyzers.Inline;

/// <summary>A call that blocks, and the call that does not.</summary>
/// <param name="Location">Where the call is.</param>
/// <param name="Name">What blocks.</param>
/// <param name="Twin">What to do instead; <see langword="null"/> if there is nothing similar that awaits.</param>
internal sealed record BlockingCall(Location Location, string Name, string? Twin)
{
    public Diagnostic ToDiagnostic(InlineCode code) => Diagnostic.Create(Rules.BlockingCall, Location, Name, code.Role, (code.MayAwait ? Twin : null, code.WayOut) switch
    {
        (null, null) => "Await something instead, such as SemaphoreSlim.WaitAsync",
        (null, { } wayOut) => char.ToUpperInvariant(wayOut[0]) + wayOut.Substring(1),
        ({ } twin, null) => $"Await {twin} instead",
        ({ } twin, { } wayOut) => $"Await {twin} instead, or {wayOut}",
    });
}
