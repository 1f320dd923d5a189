using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Unicode;
using CoAP.Uris;

namespace CoAP.Discovery;

/// <summary>Reads values with a character set and a language, such as UTF-8'de'%C3%9Cbersicht (RFC 5987, section 3.2).</summary>
internal static class ExtendedValue
{
    public static bool TryRead(string? value, [NotNullWhen(true)] out string? text)
    {
        text = null;
        var parts = value?.Split('\'', 3) ?? [];
        if (parts.Length < 3 || !parts[0].Equals("UTF-8", StringComparison.OrdinalIgnoreCase)) { return false; }
        var bytes = new List<byte>(parts[2].Length);
        for (var i = 0; i < parts[2].Length; i++)
        {
            if (PercentEncoding.TryReadByte(parts[2].AsSpan(i), out var encoded))
            {
                bytes.Add(encoded);
                i += 2;
            }
            else if (char.IsAscii(parts[2][i]))
            {
                bytes.Add((byte)parts[2][i]);
            }
            else
            {
                return false;
            }
        }
        var result = bytes.ToArray();
        if (!Utf8.IsValid(result)) { return false; }
        text = Encoding.UTF8.GetString(result);
        return true;
    }
}
