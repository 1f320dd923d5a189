using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using static CoAP.ContentFormats;

namespace CoAP.Options;

/// <summary>The media types and content codings of the registered Content-Formats (RFC 7252, section 12.3).</summary>
internal static class ContentFormatNames
{
    private static readonly Entry[] All =
    [
        new(TextPlain, "text/plain; charset=utf-8"),
        new(CoseEncrypt0, "application/cose; cose-type=\"cose-encrypt0\""),
        new(CoseMac0, "application/cose; cose-type=\"cose-mac0\""),
        new(CoseSign1, "application/cose; cose-type=\"cose-sign1\""),
        new(AceCbor, "application/ace+cbor"),
        new(Gif, "image/gif"),
        new(Jpeg, "image/jpeg"),
        new(Png, "image/png"),
        new(LinkFormat, "application/link-format"),
        new(Xml, "application/xml"),
        new(OctetStream, "application/octet-stream"),
        new(Exi, "application/exi"),
        new(Json, "application/json"),
        new(JsonPatch, "application/json-patch+json"),
        new(MergePatch, "application/merge-patch+json"),
        new(Cbor, "application/cbor"),
        new(Cwt, "application/cwt"),
        new(MultipartCore, "application/multipart-core"),
        new(CborSequence, "application/cbor-seq"),
        new(ContentFormats.Edhoc, "application/edhoc+cbor-seq"),
        new(CidEdhoc, "application/cid-edhoc+cbor-seq"),
        new(CoseEncrypt, "application/cose; cose-type=\"cose-encrypt\""),
        new(CoseMac, "application/cose; cose-type=\"cose-mac\""),
        new(CoseSign, "application/cose; cose-type=\"cose-sign\""),
        new(CoseKey, "application/cose-key"),
        new(CoseKeySet, "application/cose-key-set"),
        new(SenmlJson, "application/senml+json"),
        new(SensmlJson, "application/sensml+json"),
        new(SenmlCbor, "application/senml+cbor"),
        new(SensmlCbor, "application/sensml+cbor"),
        new(SenmlExi, "application/senml-exi"),
        new(SensmlExi, "application/sensml-exi"),
        new(YangDataSid, "application/yang-data+cbor; id=sid"),
        new(CoapGroup, "application/coap-group+json"),
        new(ConciseProblemDetails, "application/concise-problem-details+cbor"),
        new(SwidCbor, "application/swid+cbor"),
        new(Pkixcmp, "application/pkixcmp"),
        new(YangSid, "application/yang-sid+json"),
        new(AceGroupcomm, "application/ace-groupcomm+cbor"),
        new(AceTrl, "application/ace-trl+cbor"),
        new(EatCwt, "application/eat+cwt"),
        new(EatJwt, "application/eat+jwt"),
        new(EatBundleCbor, "application/eat-bun+cbor"),
        new(EatBundleJson, "application/eat-bun+json"),
        new(EatClaimsCbor, "application/eat-ucs+cbor"),
        new(EatClaimsJson, "application/eat-ucs+json"),
        new(CoapEap, "application/coap-eap"),
        new(DotsCbor, "application/dots+cbor"),
        new(MissingBlocks, "application/missing-blocks+cbor-seq"),
        new(Pkcs7ServerGeneratedKey, "application/pkcs7-mime; smime-type=server-generated-key"),
        new(Pkcs7CertsOnly, "application/pkcs7-mime; smime-type=certs-only"),
        new(Pkcs8, "application/pkcs8"),
        new(CsrAttributes, "application/csrattrs"),
        new(Pkcs10, "application/pkcs10"),
        new(PkixCertificate, "application/pkix-cert"),
        new(AifCbor, "application/aif+cbor"),
        new(AifJson, "application/aif+json"),
        new(SenmlXml, "application/senml+xml"),
        new(SensmlXml, "application/sensml+xml"),
        new(SenmlEtchJson, "application/senml-etch+json"),
        new(SenmlEtchCbor, "application/senml-etch+cbor"),
        new(YangDataCbor, "application/yang-data+cbor"),
        new(YangDataName, "application/yang-data+cbor; id=name"),
        new(ThingDescription, "application/td+json"),
        new(ThingModel, "application/tm+json"),
        new(SdfJson, "application/sdf+json"),
        new(UccsCbor, "application/uccs+cbor"),
        new(OcfCbor, "application/vnd.ocf+cbor"),
        new(ContentFormats.Oscore, "application/oscore"),
        new(JavaScript, "application/javascript"),
        new(JsonDeflate, "application/json", "deflate"),
        new(CborDeflate, "application/cbor", "deflate"),
        new(Lwm2mTlv, "application/vnd.oma.lwm2m+tlv"),
        new(Lwm2mJson, "application/vnd.oma.lwm2m+json"),
        new(Lwm2mCbor, "application/vnd.oma.lwm2m+cbor"),
        new(TextPlainZstd, "text/plain; charset=utf-8", "zstd"),
        new(XmlZstd, "application/xml", "zstd"),
        new(JsonZstd, "application/json", "zstd"),
        new(Css, "text/css"),
        new(Svg, "image/svg+xml"),
    ];

    private static readonly FrozenDictionary<uint, Entry> ById = All.ToFrozenDictionary(entry => entry.Id);

    private static readonly FrozenDictionary<(string, string), uint> ByName =
        All.Append(new Entry(TextPlain, "text/plain"))
            .ToFrozenDictionary(entry => (Simplify(entry.ContentType), entry.Coding ?? ""), entry => entry.Id);

    /// <inheritdoc cref="ContentFormats.TryGetName"/>
    public static bool TryGetName(uint id, [NotNullWhen(true)] out string? contentType, out string? coding)
    {
        var isKnown = ById.TryGetValue(id, out var entry);
        (contentType, coding) = (entry.ContentType, entry.Coding);
        return isKnown;
    }

    /// <inheritdoc cref="ContentFormats.TryGetId"/>
    public static bool TryGetId(string contentType, string? coding, out uint id) =>
        ByName.TryGetValue((Simplify(contentType), coding is null ? "" : Simplify(coding)), out id);

    // Case makes no difference in media types and in the parameters that are registered here.
    private static string Simplify(string name) =>
        string.Join(';', name.Split(';').Select(part => part.Trim().Replace("\"", "", StringComparison.Ordinal))).ToLowerInvariant();

    private readonly record struct Entry(uint Id, string ContentType, string? Coding = null);
}
