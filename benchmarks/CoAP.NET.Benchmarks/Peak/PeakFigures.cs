using System.Globalization;

namespace CoAP.Benchmarks.Peak;

/// <summary>What one call cost; sizes in millions of bytes.</summary>
internal sealed record PeakFigures(double Message, double Milliseconds, double Peak, double Allocated)
{
    public static PeakFigures Parse(string line)
    {
        var parts = line.Split(' ').Select(part => double.Parse(part, CultureInfo.InvariantCulture)).ToArray();
        return new(parts[0], parts[1], parts[2], parts[3]);
    }

    public string ToLine() => string.Create(CultureInfo.InvariantCulture, $"{Message} {Milliseconds} {Peak} {Allocated}");
}
