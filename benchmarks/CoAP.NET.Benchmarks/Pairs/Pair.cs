namespace CoAP.Benchmarks.Pairs;

/// <summary>The same work in its sync and its async form, with the same end.</summary>
/// <param name="Method">The async one of the two methods.</param>
/// <param name="End">Where the bytes go to or come from.</param>
/// <param name="Sync">The work, done when the call returns.</param>
/// <param name="Async">The work, done when it is awaited.</param>
internal sealed record Pair(string Method, string End, Func<ValueTask> Sync, Func<ValueTask> Async);
