using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Dtls.OpenSsl;

/// <summary>An SSL_CTX: the OpenSSL settings for the handshakes of one side with one kind of key. Safe for concurrent use.</summary>
internal sealed unsafe class SslContext : SafeHandle
{
    private const int Version = DtlsRecord.Version;

    public SslContext()
        : base(0, ownsHandle: true)
    {
    }

    public override bool IsInvalid => handle == 0;

    public bool IsServer { get; private init; }

    /// <summary>The kind of keys. A session is resumed only in a context of the same kind.</summary>
    public byte[] Kind { get; private set; } = [];

    /// <summary>Returns a context for handshakes with pre-shared keys.</summary>
    /// <param name="isServer">The side.</param>
    /// <param name="ciphers">The cipher suites as OpenSSL names them, the preferred ones first, separated by colons.</param>
    /// <param name="resumption">How a server lets clients resume; <see langword="null"/> on a client, or if it does not.</param>
    /// <param name="hint">The hint by which clients choose their key (RFC 4279, section 5.2); <see langword="null"/> for none.</param>
    /// <exception cref="PlatformNotSupportedException">There is no OpenSSL 3.</exception>
    /// <exception cref="CryptographicException">OpenSSL has none of the cipher suites, or refuses the hint.</exception>
    public static SslContext ForPreSharedKeys(bool isServer, string ciphers, Resumption? resumption = null, string? hint = null) => Create(isServer, ciphers, context =>
    {
        Allow(context, resumption, "key"u8);
        if (isServer) { SslCalls.SetPskServerCallback(context, &FindKey); }
        else { SslCalls.SetPskClientCallback(context, &FindIdentity); }
        if (hint is not null) { Require(SslCalls.UseIdentityHint(context, hint)); }
    });

    /// <summary>Returns a context for handshakes with certificates.</summary>
    /// <param name="isServer">The side.</param>
    /// <param name="ciphers">The cipher suites as OpenSSL names them, the preferred ones first, separated by colons.</param>
    /// <param name="own">Our certificate with its private key; <see langword="null"/> for a client without one.</param>
    /// <param name="chain">The certificates that are sent behind ours.</param>
    /// <param name="asks">Whether a server asks for a certificate of the client.</param>
    /// <param name="requires">Whether the handshake of a client without a certificate fails.</param>
    /// <param name="resumption">How a server lets clients resume; <see langword="null"/> on a client, or if it does not.</param>
    /// <exception cref="PlatformNotSupportedException">There is no OpenSSL 3.</exception>
    /// <exception cref="CryptographicException">OpenSSL refuses a cipher suite, the certificate or its key.</exception>
    public static SslContext ForCertificates(
        bool isServer, string ciphers, X509Certificate2? own, X509Certificate2Collection chain, bool asks = false, bool requires = false,
        Resumption? resumption = null) => Create(isServer, ciphers, context =>
    {
        Allow(context, resumption, "certificate"u8);
        if (own is not null) { CertificateCalls.Use(context, own, chain); }
        VerifyPeers(context, asks, requires);
    });

    /// <summary>Returns a context for handshakes with raw public keys (RFC 7250).</summary>
    /// <param name="isServer">The side.</param>
    /// <param name="ciphers">The cipher suites as OpenSSL names them, the preferred ones first, separated by colons.</param>
    /// <param name="own">Our private key in PKCS #8, which is overwritten; <see langword="null"/> for a client without one.</param>
    /// <param name="requires">Whether the handshake of a client without a key fails.</param>
    /// <param name="resumption">How a server lets clients resume; <see langword="null"/> on a client, or if it does not.</param>
    /// <exception cref="PlatformNotSupportedException">There is no OpenSSL 3.2.</exception>
    /// <exception cref="CryptographicException">OpenSSL refuses a cipher suite or the key.</exception>
    public static SslContext ForRawKeys(bool isServer, string ciphers, byte[]? own, bool requires = false, Resumption? resumption = null)
    {
        OpenSslLibrary.RequireRawPublicKeys();
        return Create(isServer, ciphers, context =>
        {
            Allow(context, resumption, "raw key"u8);
            RawKeyCalls.Use(context, own, asks: requires);
            VerifyPeers(context, asks: requires, requires);
        });
    }

    protected override bool ReleaseHandle()
    {
        SslCalls.FreeContext(handle);
        return true;
    }

    private static SslContext Create(bool isServer, string ciphers, Action<SslContext> configure)
    {
        OpenSslLibrary.Require();
        var context = new SslContext { IsServer = isServer };
        context.SetHandle(SslCalls.NewContext(isServer ? SslCalls.ServerMethod() : SslCalls.ClientMethod()));
        try
        {
            Require(context.IsInvalid ? 0 : 1);
            fixed (byte* algorithms = SuiteNames.SignatureAlgorithms) { Require((int)SslCalls.ControlContext(context, SslCalls.SetSignatureAlgorithms, 0, (nint)algorithms)); }
            Require((int)SslCalls.ControlContext(context, SslCalls.SetMinVersion, Version, 0));
            _ = SslCalls.ControlContext(context, SslCalls.SetCacheMode, 0, 0);
            // All suites use an AEAD, for which encrypt-then-MAC must not be offered (RFC 7925, section 13).
            var options = SslCalls.NoQueryMtu | SslCalls.NoRenegotiation | SslCalls.NoEncryptThenMac;
            // Servers on devices often have no renegotiation indication (RFC 5746). The attack that it prevents needs a renegotiation, and there is none.
            _ = SslCalls.SetOptions(context, options | (isServer ? SslCalls.CookieExchange : SslCalls.LegacyServerConnect));
            // Our own code has exchanged the cookie before OpenSSL sees the hello.
            SslCalls.SetCookieGenerator(context, &MakeCookie);
            SslCalls.SetCookieVerifier(context, &AcceptCookie);
            // Otherwise OpenSSL would look for the issuers of our certificate in each handshake.
            _ = SslCalls.ControlContext(context, SslCalls.SetMode, SslCalls.NoAutomaticChain, 0);
            if (isServer) { _ = SslCalls.SetServerNameCallback(context, SslCalls.ServerNameCallback, &ConfirmName); }
            HelloExtensions.AddTo(context);
            ApplicationProtocol.AddTo(context);
            configure(context);
            // This comes last: the list lowers the security level, and our own certificate must meet the system's level.
            Require(SslCalls.SetCipherList(context, ciphers + SuiteNames.AnyStrength));
            return context;
        }
        catch
        {
            context.Dispose();
            throw;
        }
    }

    private static void Allow(SslContext context, Resumption? resumption, ReadOnlySpan<byte> kind)
    {
        context.Kind = kind.ToArray();
        if (resumption is not null) { resumption.AddTo(context); }
        else if (context.IsServer) { _ = SslCalls.SetOptions(context, SslCalls.NoTicket); }
    }

    private static void VerifyPeers(SslContext context, bool asks, bool requires)
    {
        SslCalls.SetVerifier(context, &Verify, 0);
        SslCalls.SetVerifyMode(context, (asks || requires || !context.IsServer ? SslCalls.VerifyPeer : 0) | (requires ? SslCalls.RequireCertificate : 0), 0);
    }

    private static void Require(int result)
    {
        if (result != 1) { throw new CryptographicException($"OpenSSL refuses the settings of DTLS: {CryptoCalls.TakeErrors()}"); }
    }

    // The callbacks run within a call of the handshake, on its thread. An exception must not pass through OpenSSL.

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static uint FindKey(nint ssl, byte* identity, byte* key, uint maxKey) => RunningHandshake.Current?.WriteKey(new(key, (int)maxKey)) ?? 0;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static uint FindIdentity(nint ssl, byte* hint, byte* identity, uint maxIdentity, byte* key, uint maxKey) =>
        RunningHandshake.Current is { } running && running.TryWriteIdentity(Marshal.PtrToStringUTF8((nint)hint), new(identity, (int)maxIdentity)) ? running.WriteKey(new(key, (int)maxKey)) : 0;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Verify(nint store, nint argument) => RunningHandshake.Current?.Verify(store) == true ? 1 : 0;

    // The name has chosen the certificate, the key or the session, so the server confirms it (RFC 6066, section 3), as this result says.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int ConfirmName(nint ssl, int* alert, nint argument) => 0;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int MakeCookie(nint ssl, byte* cookie, uint* length)
    {
        (*cookie, *length) = (1, 1);
        return 1;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int AcceptCookie(nint ssl, byte* cookie, uint length) => 1;
}
