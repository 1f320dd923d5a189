namespace CoAP.Fuzzing.Engine;

/// <summary>What an input made its target do, as a set of features. An input that shows a new feature is worth keeping.</summary>
internal sealed class Trace
{
    private readonly HashSet<ulong> _features = [];

    public IReadOnlyCollection<ulong> Features => _features;

    /// <summary>Adds a feature: where it was seen, and what.</summary>
    public void Add(string place, long what) => _features.Add((Hash(place) ^ (ulong)what) * 0x9E37_79B9_7F4A_7C15);

    /// <summary>Adds a text without its numbers and quotations, such as that of an error.</summary>
    public void AddText(string place, string? text) => Add(place, (long)Hash(Outline(text ?? "")));

    /// <summary>Adds the magnitude of a number.</summary>
    public void AddSize(string place, long size) => Add(place, size <= 3 ? size : 66 - long.LeadingZeroCount(size));

    /// <summary>What the same error has in common whatever the input is.</summary>
    public static string Outline(string text)
    {
        var (first, last) = (text.IndexOf('"'), text.LastIndexOf('"'));
        var unquoted = first < 0 ? text : text[..first] + text[(last + 1)..];
        return new string([.. unquoted.TakeWhile(one => one is not ('\n' or ':')).Where(one => !char.IsAsciiHexDigit(one)).Take(60)]);
    }

    private static ulong Hash(string text)
    {
        var hash = 14_695_981_039_346_656_037UL;
        foreach (var one in text) { hash = (hash ^ one) * 1_099_511_628_211UL; }
        return hash;
    }
}
