using System.Globalization;

namespace CoAP.Tool.Printing;

/// <summary>Sizes as people read them: "12 B", "3.5 KiB".</summary>
internal static class ByteCount
{
    private const int Kibi = 1 << 10, Mebi = 1 << 20;

    public static string Of(long bytes) => bytes switch
    {
        < Kibi => string.Create(CultureInfo.InvariantCulture, $"{bytes} B"),
        < Mebi => string.Create(CultureInfo.InvariantCulture, $"{(double)bytes / Kibi:0.0} KiB"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{(double)bytes / Mebi:0.0} MiB"),
    };
}
