using System.Text.Json;
using CoAP.FormatComparison.Formats;

namespace CoAP.FormatComparison.Measuring;

/// <summary>Finds how many lists inside one another a format can write and read back.</summary>
internal sealed class DepthProbe(FormatSet formats, int seed)
{
    /// <summary>The depths of the source document, and one that only raised limits allow.</summary>
    public static IReadOnlyList<int> Depths { get; } = [50, 100, 1_000];

    /// <summary>The largest depth that is tried.</summary>
    public const int Most = 2_000;

    /// <summary>Returns why a depth fails, or <see langword="null"/> if it works.</summary>
    public string? Fails(string format, int depth)
    {
        var one = new DataSets(formats, seed).Lists("", "", depth, 1).Cases.First(one => one.Format == format);
        try { return one.Matches(one.Deserialize(one.ToBytes())) ? null : "The value that was read is not the value that was written."; }
        catch (Exception exception) when (exception is CoapPayloadException or InvalidOperationException or JsonException or ArgumentException)
        {
            // Writers throw the last three.
            return exception.InnerException is InvalidOperationException inner ? inner.Message : exception.Message;
        }
    }

    /// <summary>Returns the largest depth that works, up to 2,000.</summary>
    public int Deepest(string format)
    {
        var (works, fails) = (0, Most + 1);
        while (fails - works > 1)
        {
            var middle = (works + fails) / 2;
            if (Fails(format, middle) is null) { works = middle; }
            else { fails = middle; }
        }
        return works;
    }
}
