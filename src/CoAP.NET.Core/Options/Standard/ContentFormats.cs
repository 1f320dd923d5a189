using System.Diagnostics.CodeAnalysis;
using CoAP.Options;

namespace CoAP;

/// <summary>The registered Content-Formats, the values of Content-Format, Accept and "ct" (RFC 7252, section 12.3).</summary>
/// <remarks>65,000 to 65,535 are reserved for experiments and have no names. Safe for concurrent use.</remarks>
public static class ContentFormats
{
    /// <summary>"text/plain; charset=utf-8" (RFC 7252, section 12.3).</summary>
    public const uint TextPlain = 0;

    /// <summary>"application/cose; cose-type=cose-encrypt0" (RFC 9052).</summary>
    public const uint CoseEncrypt0 = 16;

    /// <summary>"application/cose; cose-type=cose-mac0" (RFC 9052).</summary>
    public const uint CoseMac0 = 17;

    /// <summary>"application/cose; cose-type=cose-sign1" (RFC 9052).</summary>
    public const uint CoseSign1 = 18;

    /// <summary>"application/ace+cbor" (RFC 9200).</summary>
    public const uint AceCbor = 19;

    /// <summary>"image/gif" (registered without an RFC).</summary>
    public const uint Gif = 21;

    /// <summary>"image/jpeg" (registered without an RFC).</summary>
    public const uint Jpeg = 22;

    /// <summary>"image/png" (RFC 2083).</summary>
    public const uint Png = 23;

    /// <summary>"application/link-format" (RFC 7252, section 12.3).</summary>
    public const uint LinkFormat = 40;

    /// <summary>"application/xml" (RFC 7252, section 12.3).</summary>
    public const uint Xml = 41;

    /// <summary>"application/octet-stream" (RFC 7252, section 12.3).</summary>
    public const uint OctetStream = 42;

    /// <summary>"application/exi" (RFC 7252, section 12.3).</summary>
    public const uint Exi = 47;

    /// <summary>"application/json" (RFC 7252, section 12.3).</summary>
    public const uint Json = 50;

    /// <summary>"application/json-patch+json" (RFC 8132).</summary>
    public const uint JsonPatch = 51;

    /// <summary>"application/merge-patch+json" (RFC 8132).</summary>
    public const uint MergePatch = 52;

    /// <summary>"application/cbor" (RFC 8949).</summary>
    public const uint Cbor = 60;

    /// <summary>"application/cwt" (RFC 8392).</summary>
    public const uint Cwt = 61;

    /// <summary>"application/multipart-core" (RFC 8710).</summary>
    public const uint MultipartCore = 62;

    /// <summary>"application/cbor-seq" (RFC 8742).</summary>
    public const uint CborSequence = 63;

    /// <summary>"application/edhoc+cbor-seq" (RFC 9528).</summary>
    public const uint Edhoc = 64;

    /// <summary>"application/cid-edhoc+cbor-seq" (RFC 9528).</summary>
    public const uint CidEdhoc = 65;

    /// <summary>"application/cose; cose-type=cose-encrypt" (RFC 9052).</summary>
    public const uint CoseEncrypt = 96;

    /// <summary>"application/cose; cose-type=cose-mac" (RFC 9052).</summary>
    public const uint CoseMac = 97;

    /// <summary>"application/cose; cose-type=cose-sign" (RFC 9052).</summary>
    public const uint CoseSign = 98;

    /// <summary>"application/cose-key" (RFC 9052).</summary>
    public const uint CoseKey = 101;

    /// <summary>"application/cose-key-set" (RFC 9052).</summary>
    public const uint CoseKeySet = 102;

    /// <summary>"application/senml+json" (RFC 8428).</summary>
    public const uint SenmlJson = 110;

    /// <summary>"application/sensml+json" (RFC 8428).</summary>
    public const uint SensmlJson = 111;

    /// <summary>"application/senml+cbor" (RFC 8428).</summary>
    public const uint SenmlCbor = 112;

    /// <summary>"application/sensml+cbor" (RFC 8428).</summary>
    public const uint SensmlCbor = 113;

    /// <summary>"application/senml-exi" (RFC 8428).</summary>
    public const uint SenmlExi = 114;

    /// <summary>"application/sensml-exi" (RFC 8428).</summary>
    public const uint SensmlExi = 115;

    /// <summary>"application/yang-data+cbor; id=sid" (RFC 9254).</summary>
    public const uint YangDataSid = 140;

    /// <summary>"application/coap-group+json" (RFC 7390).</summary>
    public const uint CoapGroup = 256;

    /// <summary>"application/concise-problem-details+cbor" (RFC 9290).</summary>
    public const uint ConciseProblemDetails = 257;

    /// <summary>"application/swid+cbor" (RFC 9393).</summary>
    public const uint SwidCbor = 258;

    /// <summary>"application/pkixcmp" (RFC 9482).</summary>
    public const uint Pkixcmp = 259;

    /// <summary>"application/yang-sid+json" (RFC 9595).</summary>
    public const uint YangSid = 260;

    /// <summary>"application/ace-groupcomm+cbor" (RFC 9594).</summary>
    public const uint AceGroupcomm = 261;

    /// <summary>"application/ace-trl+cbor" (revoked tokens of ACE).</summary>
    public const uint AceTrl = 262;

    /// <summary>"application/eat+cwt" (entity attestation tokens).</summary>
    public const uint EatCwt = 263;

    /// <summary>"application/eat+jwt" (entity attestation tokens).</summary>
    public const uint EatJwt = 264;

    /// <summary>"application/eat-bun+cbor" (entity attestation tokens).</summary>
    public const uint EatBundleCbor = 265;

    /// <summary>"application/eat-bun+json" (entity attestation tokens).</summary>
    public const uint EatBundleJson = 266;

    /// <summary>"application/eat-ucs+cbor" (entity attestation tokens).</summary>
    public const uint EatClaimsCbor = 267;

    /// <summary>"application/eat-ucs+json" (entity attestation tokens).</summary>
    public const uint EatClaimsJson = 268;

    /// <summary>"application/coap-eap" (EAP over CoAP).</summary>
    public const uint CoapEap = 269;

    /// <summary>"application/dots+cbor" (RFC 9132).</summary>
    public const uint DotsCbor = 271;

    /// <summary>"application/missing-blocks+cbor-seq" (RFC 9177).</summary>
    public const uint MissingBlocks = 272;

    /// <summary>"application/pkcs7-mime; smime-type=server-generated-key" (RFC 9148).</summary>
    public const uint Pkcs7ServerGeneratedKey = 280;

    /// <summary>"application/pkcs7-mime; smime-type=certs-only" (RFC 9148).</summary>
    public const uint Pkcs7CertsOnly = 281;

    /// <summary>"application/pkcs8" (RFC 9148).</summary>
    public const uint Pkcs8 = 284;

    /// <summary>"application/csrattrs" (RFC 9148).</summary>
    public const uint CsrAttributes = 285;

    /// <summary>"application/pkcs10" (RFC 9148).</summary>
    public const uint Pkcs10 = 286;

    /// <summary>"application/pkix-cert" (RFC 9148).</summary>
    public const uint PkixCertificate = 287;

    /// <summary>"application/aif+cbor" (RFC 9237).</summary>
    public const uint AifCbor = 290;

    /// <summary>"application/aif+json" (RFC 9237).</summary>
    public const uint AifJson = 291;

    /// <summary>"application/senml+xml" (RFC 8428).</summary>
    public const uint SenmlXml = 310;

    /// <summary>"application/sensml+xml" (RFC 8428).</summary>
    public const uint SensmlXml = 311;

    /// <summary>"application/senml-etch+json" (RFC 8790).</summary>
    public const uint SenmlEtchJson = 320;

    /// <summary>"application/senml-etch+cbor" (RFC 8790).</summary>
    public const uint SenmlEtchCbor = 322;

    /// <summary>"application/yang-data+cbor" (RFC 9254).</summary>
    public const uint YangDataCbor = 340;

    /// <summary>"application/yang-data+cbor; id=name" (RFC 9254).</summary>
    public const uint YangDataName = 341;

    /// <summary>"application/td+json" (Web of Things).</summary>
    public const uint ThingDescription = 432;

    /// <summary>"application/tm+json" (Web of Things).</summary>
    public const uint ThingModel = 433;

    /// <summary>"application/sdf+json" (semantic definition format).</summary>
    public const uint SdfJson = 434;

    /// <summary>"application/uccs+cbor" (unprotected CWT claims sets).</summary>
    public const uint UccsCbor = 601;

    /// <summary>"application/vnd.ocf+cbor" (Open Connectivity Foundation).</summary>
    public const uint OcfCbor = 10_000;

    /// <summary>"application/oscore" (RFC 8613).</summary>
    public const uint Oscore = 10_001;

    /// <summary>"application/javascript" (RFC 4329).</summary>
    public const uint JavaScript = 10_002;

    /// <summary>"application/json" in "deflate" coding (RFC 8259).</summary>
    public const uint JsonDeflate = 11_050;

    /// <summary>"application/cbor" in "deflate" coding (RFC 8949).</summary>
    public const uint CborDeflate = 11_060;

    /// <summary>"application/vnd.oma.lwm2m+tlv" (OMA LwM2M 1.0).</summary>
    public const uint Lwm2mTlv = 11_542;

    /// <summary>"application/vnd.oma.lwm2m+json" (OMA LwM2M 1.0).</summary>
    public const uint Lwm2mJson = 11_543;

    /// <summary>"application/vnd.oma.lwm2m+cbor" (OMA LwM2M 1.2).</summary>
    public const uint Lwm2mCbor = 11_544;

    /// <summary>"text/plain; charset=utf-8" in "zstd" coding (registered without an RFC).</summary>
    public const uint TextPlainZstd = 12_000;

    /// <summary>"application/xml" in "zstd" coding (registered without an RFC).</summary>
    public const uint XmlZstd = 12_041;

    /// <summary>"application/json" in "zstd" coding (registered without an RFC).</summary>
    public const uint JsonZstd = 12_050;

    /// <summary>"text/css" (RFC 2318).</summary>
    public const uint Css = 20_000;

    /// <summary>"image/svg+xml" (registered without an RFC).</summary>
    public const uint Svg = 30_000;

    /// <summary>Finds the media type and the content coding of an id.</summary>
    /// <param name="id">A Content-Format.</param>
    /// <param name="contentType">The media type with its parameters, such as "text/plain; charset=utf-8".</param>
    /// <param name="coding">The content coding, such as "deflate", or <see langword="null"/> if there is none.</param>
    public static bool TryGetName(uint id, [NotNullWhen(true)] out string? contentType, out string? coding) =>
        ContentFormatNames.TryGetName(id, out contentType, out coding);

    /// <summary>Finds the id of a media type without a content coding or with the given one.</summary>
    /// <param name="contentType">The media type with its parameters. Case, blanks and quotes make no difference. "text/plain" without a
    /// parameter means UTF-8, the only character set with an id.</param>
    /// <param name="id">The Content-Format.</param>
    /// <param name="coding">The content coding, such as "deflate".</param>
    public static bool TryGetId(string contentType, out uint id, string? coding = null)
    {
        ArgumentNullException.ThrowIfNull(contentType);
        return ContentFormatNames.TryGetId(contentType, coding, out id);
    }
}
