namespace CoAP.Dtls;

/// <summary>An alert (RFC 5246, section 7.2).</summary>
internal readonly record struct Alert(bool IsFatal, AlertDescription Description)
{
    private const int Length = 2;
    private const byte Fatal = 2;

    /// <summary>Reads the content of an alert record.</summary>
    public static bool TryRead(ReadOnlySpan<byte> content, out Alert alert)
    {
        alert = content.Length == Length ? new(content[0] == Fatal, (AlertDescription)content[1]) : default;
        return content.Length == Length;
    }

    /// <summary>Returns the content of a record.</summary>
    public byte[] ToBytes() => [IsFatal ? Fatal : (byte)1, (byte)Description];

    public override string ToString() => $"{Description} ({(byte)Description})";
}

/// <summary>The description of an alert (RFC 5246, section 7.2). Other registered values can appear.</summary>
internal enum AlertDescription : byte
{
    CloseNotify = 0,
    UnexpectedMessage = 10,
    BadRecordMac = 20,
    RecordOverflow = 22,
    HandshakeFailure = 40,
    BadCertificate = 42,
    UnsupportedCertificate = 43,
    CertificateRevoked = 44,
    CertificateExpired = 45,
    CertificateUnknown = 46,
    IllegalParameter = 47,
    UnknownCa = 48,
    AccessDenied = 49,
    DecodeError = 50,
    DecryptError = 51,
    ProtocolVersion = 70,
    InsufficientSecurity = 71,
    InternalError = 80,
    InappropriateFallback = 86,
    UserCanceled = 90,
    NoRenegotiation = 100,
    MissingExtension = 109,
    UnsupportedExtension = 110,
    UnrecognizedName = 112,
    UnknownPskIdentity = 115,
    CertificateRequired = 116,
    NoApplicationProtocol = 120,
}
