namespace CoAP.Dtls;

/// <summary>The result of the check of a certificate. It determines the alert for the peer (RFC 5246, section 7.2.2).</summary>
internal enum CertificateVerdict
{
    /// <summary>The certificate is trusted.</summary>
    Trusted,

    /// <summary>It is expired, or not valid yet: certificate_expired.</summary>
    Expired,

    /// <summary>Its issuer is not trusted: unknown_ca.</summary>
    UnknownAuthority,

    /// <summary>It is revoked: certificate_revoked.</summary>
    Revoked,

    /// <summary>It is for another name: bad_certificate.</summary>
    WrongName,

    /// <summary>This side refuses it for another reason: bad_certificate.</summary>
    Refused,
}
