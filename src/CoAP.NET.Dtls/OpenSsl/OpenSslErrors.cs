namespace CoAP.Dtls.OpenSsl;

/// <summary>Explains why OpenSSL has ended a handshake, in the words of the settings.</summary>
internal static class OpenSslErrors
{
    private const int NoSharedCipher = 193, NoCertificate = 199, NoIdentity = 223;

    /// <summary>Returns the reason, and removes the errors of this thread.</summary>
    /// <param name="isServer">The side.</param>
    /// <param name="code">The result of the call.</param>
    public static string Take(bool isServer, int code)
    {
        var reason = CryptoCalls.PeekSslReason();
        var text = CryptoCalls.TakeErrors();
        return reason switch
        {
            NoSharedCipher when isServer =>
                "the client offers no cipher suite that this server can use. Compare CipherSuites and the kinds of keys on both sides: "
                + "PSK suites need PreSharedKeys, the others Certificate or RawKeyPair",
            NoCertificate when isServer =>
                "the client has sent neither a certificate nor a raw public key, and the server requires one (RequiresClientCertificate or ValidateRawClientKey)",
            NoIdentity => "the client has no pre-shared key for this server",
            _ => text.Length > 0 ? text : $"SSL error {code}",
        };
    }
}
