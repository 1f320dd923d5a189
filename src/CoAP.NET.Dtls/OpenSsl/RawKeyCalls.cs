using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>Raw public keys in OpenSSL, which supports them since version 3.2 (RFC 7250).</summary>
internal static unsafe partial class RawKeyCalls
{
    /// <summary>Makes a context use raw public keys instead of certificates.</summary>
    /// <param name="context">The context.</param>
    /// <param name="own">Our private key in PKCS #8, which is overwritten; <see langword="null"/> for a client without one.</param>
    /// <param name="asks">Whether a server requests the client's key.</param>
    /// <exception cref="CryptographicException">OpenSSL refuses the key.</exception>
    public static void Use(SslContext context, byte[]? own, bool asks)
    {
        var raw = ClientHello.RawPublicKey;
        Require(SetServerType(context, &raw, 1));
        if (context.IsServer ? asks : own is not null) { Require(SetClientType(context, &raw, 1)); }
        if (own is not null) { CertificateCalls.UseKey(context, own); }
    }

    /// <summary>Returns the key of the peer in a verification; <see langword="null"/> if it has sent a certificate instead.</summary>
    /// <param name="store">The X509_STORE_CTX of the verification.</param>
    public static RawPublicKey? Read(nint store) => GetKey(store) is not 0 and var key ? Copy(key) : null;

    /// <summary>Returns the key of the peer in a handshake that is done; <see langword="null"/> if it has none.</summary>
    public static RawPublicKey? PeerKeyOf(SslHandle ssl) => GetPeerKey(ssl) is not 0 and var key ? Copy(key) : null;

    private static RawPublicKey Copy(nint key) => RawPublicKey.From(DerCodec.Write(key, &WritePublicKey));

    private static void Require(int result)
    {
        if (result != 1) { throw new CryptographicException($"OpenSSL refuses raw public keys: {CryptoCalls.TakeErrors()}"); }
    }

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set1_server_cert_type")]
    private static partial int SetServerType(SslContext context, byte* types, nuint length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set1_client_cert_type")]
    private static partial int SetClientType(SslContext context, byte* types, nuint length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_get0_peer_rpk")]
    private static partial nint GetPeerKey(SslHandle ssl);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "X509_STORE_CTX_get0_rpk")]
    private static partial nint GetKey(nint store);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "i2d_PUBKEY")]
    private static partial int WritePublicKey(nint key, byte** der);
}
