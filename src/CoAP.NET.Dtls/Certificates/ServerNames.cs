using System.Formats.Asn1;
using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Dtls;

/// <summary>The names of servers in URIs, hellos and certificates.</summary>
internal static class ServerNames
{
    private const string AlternativeNames = "2.5.29.17";
    private const int UriOfName = 6;        // the tag of a uniformResourceIdentifier (RFC 5280, section 4.2.1.6)

    /// <summary>
    /// Returns a host name as certificates and hellos have it: in ASCII, and without the dot at the end of a full name (RFC 6066, section 3). An address and a name that
    /// cannot be converted stay as they are.
    /// </summary>
    public static string ToAscii(string host)
    {
        if (host.Length > 1 && host[^1] == '.') { host = host[..^1]; }
        if (System.Text.Ascii.IsValid(host)) { return host; }
        try { return new IdnMapping().GetAscii(host); }
        catch (ArgumentException) { return host; }
    }

    /// <summary>
    /// Returns whether a certificate is for a server (RFC 7252, section 9.1.3.3). A URI or a name in SubjectAltName must match. Without SubjectAltName, it is the
    /// common name. Wildcards do not match. A URI without a port has the one of its scheme.
    /// </summary>
    /// <param name="certificate">The certificate of the server.</param>
    /// <param name="host">The host of the request.</param>
    /// <param name="port">The port; 0 if the network has none.</param>
    public static bool Match(X509Certificate2 certificate, string host, int port)
    {
        var alternatives = certificate.Extensions[AlternativeNames];
        var name = ToAscii(host.Trim('[', ']'));
        return (Uri.CheckHostName(name) != UriHostNameType.Unknown && certificate.MatchesHostname(name, allowWildcards: false, allowCommonName: alternatives is null))
            || (alternatives is not null && UrisOf(alternatives.RawData).Any(uri => IsFor(uri, name, port)));
    }

    /// <summary>Returns the names that a certificate is for: those in SubjectAltName, or else the common name.</summary>
    public static IEnumerable<string> NamesOf(X509Certificate2 certificate)
    {
        if (certificate.Extensions[AlternativeNames] is not { } extension)
        {
            return certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false) is { Length: > 0 } common ? [common] : [];
        }
        try
        {
            var names = new X509SubjectAlternativeNameExtension(extension.RawData);
            return [.. names.EnumerateDnsNames(), .. names.EnumerateIPAddresses().Select(static address => address.ToString()), .. UrisOf(extension.RawData)];
        }
        catch (CryptographicException) { return []; }   // malformed
    }

    private static bool IsFor(string text, string name, int port)
    {
        if (!Uri.TryCreate(text, UriKind.Absolute, out var uri) || uri.Scheme is not ("coaps" or "coap")) { return false; }
        var isHost = IPAddress.TryParse(name, out var address)
            ? IPAddress.TryParse(uri.IdnHost, out var other) && other.Equals(address)
            : string.Equals(uri.IdnHost, name, StringComparison.OrdinalIgnoreCase);
        var scheme = uri.Scheme == "coaps" ? CoapScheme.Coaps : CoapScheme.Coap;
        return isHost && (port == 0 || port == (uri.Port >= 0 ? uri.Port : scheme.GetDefaultPort()));
    }

    private static List<string> UrisOf(byte[] names)
    {
        var uris = new List<string>();
        try
        {
            var sequence = new AsnReader(names, AsnEncodingRules.DER).ReadSequence();
            var tag = new Asn1Tag(TagClass.ContextSpecific, UriOfName);
            while (sequence.HasData)
            {
                if (sequence.PeekTag().HasSameClassAndValue(tag)) { uris.Add(sequence.ReadCharacterString(UniversalTagNumber.IA5String, tag)); }
                else { sequence.ReadEncodedValue(); }
            }
        }
        catch (AsnContentException)
        {
            // What is malformed matches nothing.
        }
        return uris;
    }
}
