using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;
using System.Text;

namespace CoAP.Uris;

/// <summary>The host of a URI in normal form: a name in lower case without percent-encoding, or an address in the form of RFC 5952.</summary>
/// <param name="Text">The value for Uri-Host: "example.org", "192.0.2.1" or "[2001:db8::1]"; without a zone.</param>
/// <param name="Address">The address, if the host is a literal.</param>
/// <param name="Zone">The zone of an IPv6 literal, such as "eth0" (RFC 6874).</param>
internal readonly record struct HostName(string Text, IPAddress? Address, string? Zone)
{
    private const int MaxLength = 255;
    private const int IPv4Length = 4;

    /// <summary>Returns the host for an address.</summary>
    public static HostName Of(IPAddress address)
    {
        if (address.IsIPv4MappedToIPv6) { address = address.MapToIPv4(); }
        var bytes = address.GetAddressBytes();
        if (bytes.Length == IPv4Length) { return new(address.ToString(), address, null); }
        var zone = address.ScopeId == 0 ? null : address.ScopeId.ToString(CultureInfo.InvariantCulture);
        return new($"[{new IPAddress(bytes)}]", address, zone);
    }

    /// <summary>Reads the host component of a URI.</summary>
    public static bool TryRead(ReadOnlySpan<char> component, int position, out HostName host, [NotNullWhen(false)] out string? error)
    {
        if (component.StartsWith('[')) { return TryReadLiteral(component, position, out host, out error); }
        host = default;
        if (component.IsEmpty) { return UriSyntax.Fail($"The host at position {position} is empty.", out error); }
        if (IPLiteral.TryReadIPv4(component, out var known))
        {
            host = Of(known);
            error = null;
            return true;
        }
        if (!PercentEncoding.TryDecode(component, UriSyntax.RegName, "host", position, out var name, out error)) { return false; }
        var length = Encoding.UTF8.GetByteCount(name);
        if (length > MaxLength)
        {
            return UriSyntax.Fail($"The host at position {position} is {length} bytes long; at most {MaxLength} are allowed.", out error);
        }
        host = new(ToAsciiLower(name), null, null);
        return true;
    }

    /// <summary>Whether the host is a literal of this address, regardless of the zone and of IPv4 mapped into IPv6.</summary>
    public bool IsLiteralOf(IPAddress address) => Address is not null && Of(Address).Text == Of(address).Text;

    /// <summary>Appends the host in the form of a URI.</summary>
    public void AppendTo(StringBuilder builder)
    {
        if (Address is null) { builder.AppendEncoded(Text, UriSyntax.RegName); }
        else if (Zone is null) { builder.Append(Text); }
        else { builder.Append(Text, 0, Text.Length - 1).Append("%25").AppendEncoded(Zone, UriSyntax.Unreserved).Append(']'); }
    }

    private static bool TryReadLiteral(
        ReadOnlySpan<char> component, int position, out HostName host, [NotNullWhen(false)] out string? error)
    {
        host = default;
        if (!component.EndsWith(']'))
        {
            return UriSyntax.Fail($"The \"[\" at position {position} needs a \"]\" at the end of the host.", out error);
        }
        var literal = component[1..^1];
        if (literal.StartsWith("v", StringComparison.OrdinalIgnoreCase))
        {
            return UriSyntax.Fail(
                $"The host \"{component}\" at position {position} has a future IP version, which is not defined.", out error);
        }
        string? zone = null;
        var percent = literal.IndexOf('%');
        if (percent >= 0)
        {
            if (!TryReadZone(literal[percent..], position + 1 + percent, out zone, out error)) { return false; }
            literal = literal[..percent];
        }
        if (!IPLiteral.TryReadIPv6(literal, out var address))
        {
            return UriSyntax.Fail($"The host \"{component}\" at position {position} is not an IPv6 address.", out error);
        }
        error = null;
        host = new($"[{address}]", zone is null ? address : WithScope(address, zone), zone);
        return true;
    }

    // A zone follows "%25" (RFC 6874, section 2). Readers should also accept a bare "%" if it is unambiguous (section 3).
    private static bool TryReadZone(
        ReadOnlySpan<char> text, int position, [NotNullWhen(true)] out string? zone, [NotNullWhen(false)] out string? error)
    {
        zone = null;
        var mark = 1;
        if (PercentEncoding.TryReadByte(text, out var encoded))
        {
            if (encoded != '%')
            {
                return UriSyntax.Fail($"The zone \"{text}\" at position {position} does not start with \"%25\".", out error);
            }
            mark = 3;
        }
        if (text.Length == mark) { return UriSyntax.Fail($"The zone at position {position} is empty.", out error); }
        return PercentEncoding.TryDecode(text[mark..], UriSyntax.Unreserved, "zone", position + mark, out zone, out error);
    }

    // The platform knows the names of the interfaces. An unknown name has no scope.
    private static IPAddress WithScope(IPAddress address, string zone)
    {
        if (uint.TryParse(zone, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
        {
            return new IPAddress(address.GetAddressBytes(), number);
        }
        var isPlain = !zone.AsSpan().ContainsAnyExcept(UriSyntax.Unreserved);
        return isPlain && IPAddress.TryParse($"{address}%{zone}", out var scoped) ? scoped : address;
    }

    // Only ASCII letters are converted (RFC 7252, section 6.4, step 5).
    private static string ToAsciiLower(string name) => name.AsSpan().ContainsAnyInRange('A', 'Z')
        ? string.Concat(name.Select(one => char.IsAsciiLetterUpper(one) ? char.ToLowerInvariant(one) : one))
        : name;
}
