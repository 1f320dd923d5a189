namespace CoAP.Fuzzing.Engine;

/// <summary>The inputs that are a little smaller than a given one, the smallest first.</summary>
internal static class Reduction
{
    public static IEnumerable<FuzzInput> Of(FuzzInput input)
    {
        var steps = input.Steps;
        for (var count = steps.Count / 2; count > 0; count /= 2)
        {
            for (var at = 0; at + count <= steps.Count; at += count)
            {
                yield return new FuzzInput([.. steps.Take(at), .. steps.Skip(at + count)]);
            }
        }
        for (var which = 0; which < steps.Count; which++)
        {
            foreach (var shorter in Shorter(steps[which]))
            {
                yield return new FuzzInput([.. steps.Take(which), shorter, .. steps.Skip(which + 1)]);
            }
        }
    }

    private static IEnumerable<byte[]> Shorter(byte[] bytes)
    {
        for (var count = bytes.Length / 2; count > 0; count /= 2)
        {
            for (var at = 0; at + count <= bytes.Length; at += count) { yield return [.. bytes[..at], .. bytes[(at + count)..]]; }
        }
    }
}
