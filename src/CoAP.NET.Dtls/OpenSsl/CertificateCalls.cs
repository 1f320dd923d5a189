using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Dtls.OpenSsl;

/// <summary>Moves certificates and keys between .NET and OpenSSL, as DER.</summary>
internal static unsafe partial class CertificateCalls
{
    /// <summary>The errors of OpenSSL that lead to the alerts of <see cref="CertificateVerdict"/>.</summary>
    private const int Expired = 10, UnknownAuthority = 20, Revoked = 23, Refused = 28;

    private const int AddChainCertificate = 14;

    /// <summary>Sets the certificate of a context, with its chain and its private key.</summary>
    /// <exception cref="CryptographicException">The private key is missing or cannot be exported, or OpenSSL refuses it.</exception>
    public static void Use(SslContext context, X509Certificate2 certificate, X509Certificate2Collection chain)
    {
        var own = Read(certificate);
        try { Require(UseCertificate(context, own)); }
        finally { Free(own); }
        foreach (var one in chain)
        {
            // The context owns it from now on, unless the call fails.
            var other = Read(one);
            if (SslCalls.ControlContext(context, AddChainCertificate, 0, other) == 1) { continue; }
            Free(other);
            Require(0);
        }
        UseKey(context, KeyOf(certificate));
    }

    /// <summary>Returns the certificate of the peer and the others that it has sent.</summary>
    /// <param name="store">The X509_STORE_CTX of a verification.</param>
    /// <param name="others">The other certificates.</param>
    public static X509Certificate2 Read(nint store, out X509Certificate2Collection others)
    {
        others = [];
        var stack = GetUntrusted(store);
        for (var i = 0; i < CountOf(stack); i++) { others.Add(Copy(ItemOf(stack, i))); }
        return Copy(GetCertificate(store));
    }

    /// <summary>Converts a certificate that the caller owns, and frees it.</summary>
    public static X509Certificate2 Take(nint certificate)
    {
        try { return Copy(certificate); }
        finally { Free(certificate); }
    }

    /// <summary>Sets the result of a verification. OpenSSL derives the alert from it.</summary>
    public static void SetResult(nint store, CertificateVerdict verdict) => SetError(store, verdict switch
    {
        CertificateVerdict.Trusted => 0,
        CertificateVerdict.Expired => Expired,
        CertificateVerdict.UnknownAuthority => UnknownAuthority,
        CertificateVerdict.Revoked => Revoked,
        _ => Refused,
    });

    private static byte[] KeyOf(X509Certificate2 certificate)
    {
        using var ecdsa = certificate.GetECDsaPrivateKey();
        if (ecdsa is not null) { return ecdsa.ExportPkcs8PrivateKey(); }
        using var rsa = certificate.GetRSAPrivateKey();
        return rsa?.ExportPkcs8PrivateKey()
            ?? throw new CryptographicException($"The certificate '{certificate.Subject}' has no ECDSA or RSA private key.");
    }

    /// <summary>Sets the private key of a context.</summary>
    /// <param name="context">The context.</param>
    /// <param name="der">The key in PKCS #8. It is overwritten.</param>
    /// <exception cref="CryptographicException">OpenSSL refuses the key.</exception>
    public static void UseKey(SslContext context, byte[] der)
    {
        var key = DerCodec.Read(der, &ReadKey);
        CryptographicOperations.ZeroMemory(der);
        try { Require(UsePrivateKey(context, key)); }
        finally { FreeKey(key); }
    }

    private static nint Read(X509Certificate2 certificate) => DerCodec.Read(certificate.RawDataMemory.Span, &ReadCertificate);

    private static X509Certificate2 Copy(nint certificate) => X509CertificateLoader.LoadCertificate(DerCodec.Write(certificate, &WriteCertificate));

    private static void Require(int result)
    {
        if (result != 1) { throw new CryptographicException($"OpenSSL refuses the certificate or its key: {CryptoCalls.TakeErrors()}"); }
    }

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "d2i_X509")]
    private static partial nint ReadCertificate(nint target, byte** der, long length);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "i2d_X509")]
    private static partial int WriteCertificate(nint certificate, byte** der);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "X509_free")]
    private static partial void Free(nint certificate);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "d2i_AutoPrivateKey")]
    private static partial nint ReadKey(nint target, byte** der, long length);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "EVP_PKEY_free")]
    private static partial void FreeKey(nint key);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "X509_STORE_CTX_get0_cert")]
    private static partial nint GetCertificate(nint store);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "X509_STORE_CTX_get0_untrusted")]
    private static partial nint GetUntrusted(nint store);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "X509_STORE_CTX_set_error")]
    private static partial void SetError(nint store, int error);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "OPENSSL_sk_num")]
    private static partial int CountOf(nint stack);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "OPENSSL_sk_value")]
    private static partial nint ItemOf(nint stack, int index);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_use_certificate")]
    private static partial int UseCertificate(SslContext context, nint certificate);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_use_PrivateKey")]
    private static partial int UsePrivateKey(SslContext context, nint key);
}
