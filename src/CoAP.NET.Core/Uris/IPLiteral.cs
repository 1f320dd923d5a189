using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Net;

namespace CoAP.Uris;

/// <summary>Reads IP addresses in the form of URIs; <see cref="IPAddress"/> accepts many other forms (RFC 3986, section 3.2.2).</summary>
internal static class IPLiteral
{
    private static readonly SearchValues<char> OfIPv6 = SearchValues.Create("0123456789ABCDEFabcdef:.");

    /// <summary>Reads four decimal numbers without leading zeros.</summary>
    public static bool TryReadIPv4(ReadOnlySpan<char> text, [NotNullWhen(true)] out IPAddress? address) =>
        IPAddress.TryParse(text, out address) && !text.Contains(':') && text.SequenceEqual(address.ToString());

    /// <summary>Reads eight groups of one to four hexadecimal digits; "::" may stand for groups of zeros once, and IPv4 for the last two groups.</summary>
    public static bool TryReadIPv6(ReadOnlySpan<char> text, [NotNullWhen(true)] out IPAddress? address)
    {
        address = null;
        if (text.ContainsAnyExcept(OfIPv6) || (text.Contains('.') && !TryReadIPv4(text[(text.LastIndexOf(':') + 1)..], out _))) { return false; }
        return text.Contains(':') && IPAddress.TryParse(text, out address);
    }
}
