using System.Text.RegularExpressions;

namespace CoAP.Measurements.Profiles;

/// <summary>One line of a stack as "perf script" prints it: what runs, and in which file.</summary>
/// <param name="Symbol">As the compiler named it in its map, or as the kernel or a library calls it.</param>
/// <param name="File">The program or library.</param>
internal readonly partial record struct FrameName(string Symbol, string File)
{
    public bool IsKernel => File.StartsWith("[kernel", StringComparison.Ordinal);

    /// <summary>The type with its namespace, of compiled C#; nothing elsewhere.</summary>
    public string? Type => TypeAndMethod().Match(Symbol) is { Success: true } match ? match.Groups["type"].Value : null;

    /// <summary>Reads a line such as <c>55d0 name+0x12 (/usr/lib/libc.so.6)</c>.</summary>
    public static FrameName? Parse(string line)
    {
        var text = line.AsSpan().Trim();
        var (start, end) = (text.IndexOf(' '), text.LastIndexOf(" ("));
        if (start < 0 || end < start || text[^1] != ')') { return null; }
        return new FrameName(text[(start + 1)..end].ToString(), text[(end + 2)..^1].ToString());
    }

    // "instance void [CoAP.NET] CoAP.Handlers.OptionGuard::Process(…)[OptimizedTier1]"
    [GeneratedRegex(@"\[[^\]]+\] (?<type>[A-Za-z_][\w.+`]*)(\[[^:]*\])?(/[^:]+)?::")]
    private static partial Regex TypeAndMethod();
}
