using CoAP.Options;
using CoAP.Uris;

namespace CoAP.Exchanges;

/// <summary>
/// Finds zones in options that would be sent. A zone is the name or the number of an interface of this machine: the receiver would take it
/// for one of its own, or for a part of a name (RFC 6874, section 1; RFC 4007, section 6).
/// </summary>
internal static class SentZones
{
    /// <summary>Throws if an option of a request has an address with a zone.</summary>
    /// <exception cref="ArgumentException">Uri-Host or Proxy-Uri has a zone.</exception>
    public static void ThrowIfAny(OptionSet options)
    {
        if (options.Get<ProxyUri>() is { } proxied && ZoneIn(HostOf(proxied.Value)) is { } ofProxy)
        {
            throw new ArgumentException(
                $"Proxy-Uri has the zone '{ofProxy}', which has no meaning on the machine of the proxy. Leave it out.");
        }
        if (options.Get<UriHost>() is { } host && ZoneIn(host.Value) is { } ofHost)
        {
            throw new ArgumentException(
                $"Uri-Host has the zone '{ofHost}', which has no meaning on the machine of the peer. Leave it out.");
        }
    }

    // The host of a URI with any scheme (RFC 3986, section 3.2).
    private static string HostOf(string uri)
    {
        var start = uri.IndexOf("//", StringComparison.Ordinal);
        if (start < 0) { return ""; }
        var rest = uri.AsSpan(start + 2);
        var authority = rest.IndexOfAny('/', '?', '#') is >= 0 and var end ? rest[..end] : rest;
        return authority[(authority.LastIndexOf('@') + 1)..].ToString();
    }

    // The zone follows "%25" in a URI, "%" elsewhere. Names may contain percent signs, so what precedes it must be an address.
    private static string? ZoneIn(string host)
    {
        if (!host.Contains('%', StringComparison.Ordinal)) { return null; }
        return ZoneOf(host) ?? ZoneOf(Uri.UnescapeDataString(host));
    }

    private static string? ZoneOf(string host)
    {
        var percent = host.IndexOf('%', StringComparison.Ordinal);
        if (percent < 0 || !IPLiteral.TryReadIPv6(host.AsSpan(0, percent).TrimStart('['), out _)) { return null; }
        var zone = host[(percent + 1)..].Split(']')[0];
        return zone.StartsWith("25", StringComparison.Ordinal) && zone.Length > 2 ? zone[2..] : zone;
    }
}
