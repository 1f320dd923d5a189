using System.Globalization;
using System.Text;
using System.Xml;

namespace CoAP.Formats;

/// <summary>Converts the keys of maps to names of elements and back.</summary>
/// <remarks>
/// A text that is a name stays as it is. Any other character becomes <c>_xHHHH_</c> (<see cref="XmlConvert.EncodeLocalName"/>), the empty text
/// becomes <c>_x0000_</c>, and an integer gets an underscore in front: 7 becomes <c>_7</c>.
/// </remarks>
internal sealed class XmlNames
{
    private const int CacheSize = 64, LongestCached = 64;
    private const string EmptyName = "_x0000_";

    private readonly (byte[] Key, string Name)[] _cache = new (byte[], string)[CacheSize];

    /// <summary>Returns the name for a text in UTF-8. Names of members come again and again, so the last ones are kept.</summary>
    public string Of(ReadOnlySpan<byte> key)
    {
        if (key.Length is 0 or > LongestCached) { return Of(Encoding.UTF8.GetString(key)); }
        ref var place = ref _cache[(key.Length + (7 * key[0]) + (31 * key[^1]) + key[key.Length / 2]) % CacheSize];
        if (place.Key is null || !key.SequenceEqual(place.Key)) { place = (key.ToArray(), Of(Encoding.UTF8.GetString(key))); }
        return place.Name;
    }

    /// <summary>Returns the name for a text.</summary>
    /// <exception cref="ArgumentException">The text contains U+0000 or a lone surrogate.</exception>
    public static string Of(string key)
    {
        if (key.Length == 0) { return EmptyName; }
        XmlText.Check(key);
        return XmlConvert.EncodeLocalName(key)!;
    }

    /// <summary>Returns the name for an integer.</summary>
    public static string Of(long key) => string.Create(CultureInfo.InvariantCulture, $"_{key}");

    /// <summary>Returns the name for an integer.</summary>
    public static string Of(ulong key) => string.Create(CultureInfo.InvariantCulture, $"_{key}");

    /// <summary>Returns the text of a name.</summary>
    public static string ToText(string name)
    {
        if (!name.Contains("_x", StringComparison.Ordinal)) { return name; }
        return name == EmptyName ? "" : XmlConvert.DecodeName(name)!;
    }

    /// <summary>Whether a name can stand for an integer.</summary>
    public static bool IsInteger(string name) =>
        name.Length > 1 && name[0] == '_' && !name.AsSpan(name[1] == '-' ? 2 : 1).ContainsAnyExceptInRange('0', '9');
}
