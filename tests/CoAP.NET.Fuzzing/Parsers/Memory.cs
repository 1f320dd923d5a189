using CoAP.Fuzzing.Engine;

namespace CoAP.Fuzzing.Parsers;

/// <summary>Measures what a parser allocates: its cost is to follow from the bytes that are there, not from the lengths that they announce.</summary>
internal static class Memory
{
    /// <summary>Calls a parser, and fails if it allocates more than a number of bytes per byte of the input, and a fixed sum.</summary>
    public static T Bounded<T>(Func<T> parse, int length, int perByte, int fixedSum = 4096)
    {
        var limit = fixedSum + ((long)perByte * length);
        var result = Measure(parse, out var allocated);
        // The first call may also pay for what is made once in a process.
        if (allocated > limit) { result = Measure(parse, out allocated); }
        FuzzFailure.ThrowIf(allocated > limit, $"{length} bytes made the parser allocate {allocated} bytes; at most {limit} are allowed.");
        return result;
    }

    private static T Measure<T>(Func<T> parse, out long allocated)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        var result = parse();
        allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        return result;
    }
}
