using System.Buffers.Binary;
using System.Globalization;
using System.Net;

namespace CoAP.Uris;

/// <summary>Reads IP addresses in the form of URIs; <see cref="IPAddress"/> accepts many other forms (RFC 3986, section 3.2.2).</summary>
internal static class IPLiteral
{
    private const int Groups = 8;

    /// <summary>Reads four decimal numbers without leading zeros.</summary>
    public static bool TryReadIPv4(ReadOnlySpan<char> text, Span<byte> address)
    {
        for (var i = 0; i < 4; i++)
        {
            var end = i < 3 ? text.IndexOf('.') : text.Length;
            if (end is < 1 or > 3 || (end > 1 && text[0] == '0')) { return false; }
            if (!byte.TryParse(text[..end], NumberStyles.None, CultureInfo.InvariantCulture, out address[i])) { return false; }
            if (i < 3) { text = text[(end + 1)..]; }
        }
        return true;
    }

    /// <summary>Reads eight groups of one to four hexadecimal digits; "::" may stand for groups of zeros once.</summary>
    public static bool TryReadIPv6(ReadOnlySpan<char> text, Span<byte> address)
    {
        address.Clear();
        int count = 0, gap = -1;
        if (text.StartsWith("::"))
        {
            gap = 0;
            text = text[2..];
        }
        while (!text.IsEmpty)
        {
            if (!TryReadGroup(ref text, address, ref count)) { return false; }
            if (text.IsEmpty) { break; }
            text = text[1..];
            if (text.IsEmpty) { return false; }
            if (text[0] != ':') { continue; }
            if (gap >= 0) { return false; }
            gap = count;
            text = text[1..];
        }
        if (gap < 0) { return count == Groups; }
        if (count == Groups) { return false; }
        var tail = address[(2 * gap)..(2 * count)];
        tail.CopyTo(address[^tail.Length..]);
        address[(2 * gap)..^tail.Length].Clear();
        return true;
    }

    // Reads one group, or an IPv4 address at the end, and stops at the colon.
    private static bool TryReadGroup(ref ReadOnlySpan<char> text, Span<byte> address, ref int count)
    {
        var length = text.IndexOf(':');
        if (length < 0)
        {
            length = text.Length;
            if (text.Contains('.'))
            {
                if (count > Groups - 2 || !TryReadIPv4(text, address.Slice(2 * count, 4))) { return false; }
                count += 2;
                text = default;
                return true;
            }
        }
        if (count == Groups || length is < 1 or > 4) { return false; }
        if (!ushort.TryParse(text[..length], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var group)) { return false; }
        BinaryPrimitives.WriteUInt16BigEndian(address[(2 * count++)..], group);
        text = text[length..];
        return true;
    }
}
