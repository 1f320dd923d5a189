namespace CoAP.TestSupport;

/// <summary>Counts the bytes that an action allocates on its thread.</summary>
/// <remarks>
/// The action runs once uncounted and then up to three times; the least of the counts is returned. What the action itself allocates is in each
/// count. What the runtime allocates once on the thread of the action is not: it compiles methods anew, loads types, refills a pool of buffers
/// that a collection has emptied. On a loaded machine, that falls into a single count now and then.
/// </remarks>
public static class Allocations
{
    private const int Counts = 3;

    /// <summary>Counts an action that can be repeated.</summary>
    public static long Of(Action action) => Of(() => action, static run => run());

    /// <summary>Counts an action that needs something new each time, such as an empty table or a stream at its beginning.</summary>
    /// <param name="prepare">Creates what the action needs. Not counted.</param>
    /// <param name="action">The action that is counted.</param>
    public static long Of<TState>(Func<TState> prepare, Action<TState> action) => Least(() =>
    {
        var state = prepare();
        var before = GC.GetAllocatedBytesForCurrentThread();
        action(state);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    });

    /// <summary>Returns the least count of an action that counts itself, for example up to some point in its middle.</summary>
    public static long Least(Func<long> count)
    {
        count();
        var least = long.MaxValue;
        for (var i = 0; i < Counts && least != 0; i++) { least = Math.Min(least, count()); }
        return least;
    }
}
