using System.Formats.Asn1;
using System.Net;
using System.Security.Claims;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Vocabulary;

/// <summary>The names in the SubjectAltName extension of a certificate, as claims (RFC 5280, section 4.2.1.6).</summary>
internal static class AlternativeNames
{
    private const string Extension = "2.5.29.17";

    private static readonly Asn1Tag Email = new(TagClass.ContextSpecific, 1);
    private static readonly Asn1Tag Dns = new(TagClass.ContextSpecific, 2);
    private static readonly Asn1Tag Uri = new(TagClass.ContextSpecific, 6);
    private static readonly Asn1Tag Address = new(TagClass.ContextSpecific, 7);

    /// <summary>Returns the claims. Names of other kinds, and all names of a malformed extension, are left out.</summary>
    public static List<Claim> Of(X509Certificate2 certificate)
    {
        if (certificate.Extensions[Extension] is not { } extension) { return []; }
        try
        {
            var names = new AsnReader(extension.RawData, AsnEncodingRules.DER).ReadSequence();
            var claims = new List<Claim>();
            while (names.HasData) { Add(claims, names); }
            return claims;
        }
        catch (AsnContentException) { return []; }
    }

    private static void Add(List<Claim> claims, AsnReader names)
    {
        var tag = names.PeekTag();
        if (tag == Dns) { claims.Add(new Claim(ClaimTypes.Dns, TextOf(names, tag))); }
        else if (tag == Uri) { claims.Add(new Claim(ClaimTypes.Uri, TextOf(names, tag))); }
        else if (tag == Email) { claims.Add(new Claim(ClaimTypes.Email, TextOf(names, tag))); }
        else if (tag == Address && names.ReadOctetString(tag) is { Length: 4 or 16 } bytes)
        {
            claims.Add(new Claim(PeerPrincipal.AddressClaim, new IPAddress(bytes).ToString()));
        }
        else if (tag != Address) { names.ReadEncodedValue(); }
    }

    private static string TextOf(AsnReader names, Asn1Tag tag) => names.ReadCharacterString(UniversalTagNumber.IA5String, tag);
}
