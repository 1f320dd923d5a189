using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Dtls.OpenSsl;

/// <summary>The settings of handshakes of one side with one kind of key, as OpenSSL keeps them. Safe for concurrent use.</summary>
internal sealed unsafe class SslContext : SafeHandle
{
    private const int ConnectionIdExtension = 54;
    private const int Version = DtlsRecord.Version;

    public SslContext()
        : base(0, ownsHandle: true)
    {
    }

    public override bool IsInvalid => handle == 0;

    public bool IsServer { get; private init; }

    /// <summary>Returns a context for handshakes with pre-shared keys.</summary>
    /// <param name="isServer">The side.</param>
    /// <param name="ciphers">The cipher suites as OpenSSL names them, the preferred ones first, separated by colons.</param>
    /// <exception cref="PlatformNotSupportedException">There is no OpenSSL 3.</exception>
    /// <exception cref="CryptographicException">OpenSSL has none of the cipher suites.</exception>
    public static SslContext ForPreSharedKeys(bool isServer, string ciphers)
    {
        var context = Create(isServer, ciphers);
        if (isServer) { SslCalls.SetPskServerCallback(context, &FindKey); }
        else { SslCalls.SetPskClientCallback(context, &FindIdentity); }
        return context;
    }

    /// <summary>Returns a context for handshakes with certificates.</summary>
    /// <param name="isServer">The side.</param>
    /// <param name="ciphers">The cipher suites as OpenSSL names them, the preferred ones first, separated by colons.</param>
    /// <param name="own">Our certificate with its private key; <see langword="null"/> for a client without one.</param>
    /// <param name="chain">The certificates that are sent behind ours.</param>
    /// <param name="asks">Whether a server asks for a certificate of the client.</param>
    /// <param name="requires">Whether the handshake of a client without a certificate fails.</param>
    /// <exception cref="PlatformNotSupportedException">There is no OpenSSL 3.</exception>
    /// <exception cref="CryptographicException">OpenSSL refuses a cipher suite, the certificate or its key.</exception>
    public static SslContext ForCertificates(
        bool isServer, string ciphers, X509Certificate2? own, X509Certificate2Collection chain, bool asks = false, bool requires = false)
    {
        var context = Create(isServer, ciphers);
        try
        {
            if (own is not null) { CertificateCalls.Use(context, own, chain); }
            SslCalls.SetVerifier(context, &Verify, 0);
            var mode = (asks || requires || !isServer ? SslCalls.VerifyPeer : 0) | (requires ? SslCalls.RequireCertificate : 0);
            SslCalls.SetVerifyMode(context, mode, 0);
            return context;
        }
        catch
        {
            context.Dispose();
            throw;
        }
    }

    protected override bool ReleaseHandle()
    {
        SslCalls.FreeContext(handle);
        return true;
    }

    private static SslContext Create(bool isServer, string ciphers)
    {
        OpenSslLibrary.Require();
        var context = new SslContext { IsServer = isServer };
        context.SetHandle(SslCalls.NewContext(isServer ? SslCalls.ServerMethod() : SslCalls.ClientMethod()));
        try
        {
            Require(context.IsInvalid ? 0 : 1);
            Require(SslCalls.SetCipherList(context, ciphers));
            Require((int)SslCalls.ControlContext(context, SslCalls.SetMinVersion, Version, 0));
            _ = SslCalls.ControlContext(context, SslCalls.SetSessionCache, 0, 0);
            var options = SslCalls.NoQueryMtu | SslCalls.NoTicket | SslCalls.NoRenegotiation;
            _ = SslCalls.SetOptions(context, isServer ? options | SslCalls.CookieExchange : options);
            // Our own code has exchanged the cookie before OpenSSL sees the hello.
            SslCalls.SetCookieGenerator(context, &MakeCookie);
            SslCalls.SetCookieVerifier(context, &AcceptCookie);
            Require(SslCalls.AddExtension(context, ConnectionIdExtension, SslCalls.InHellos, &AddExtension, &FreeExtension, 0, &ParseExtension, 0));
            return context;
        }
        catch
        {
            context.Dispose();
            throw;
        }
    }

    private static void Require(int result)
    {
        if (result != 1) { throw new CryptographicException($"OpenSSL refuses the settings of DTLS: {CryptoCalls.TakeErrors()}"); }
    }

    // The callbacks run within a call of the handshake, on its thread. An exception must not pass through OpenSSL.

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static uint FindKey(nint ssl, byte* identity, byte* key, uint maxKey) => OpenSslHandshake.Running?.WriteKey(new(key, (int)maxKey)) ?? 0;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static uint FindIdentity(nint ssl, byte* hint, byte* identity, uint maxIdentity, byte* key, uint maxKey) =>
        OpenSslHandshake.Running is { } running && running.TryWriteIdentity(new(identity, (int)maxIdentity)) ? running.WriteKey(new(key, (int)maxKey)) : 0;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Verify(nint store, nint argument) => OpenSslHandshake.Running?.Verify(store) == true ? 1 : 0;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int MakeCookie(nint ssl, byte* cookie, uint* length)
    {
        (*cookie, *length) = (1, 1);
        return 1;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int AcceptCookie(nint ssl, byte* cookie, uint length) => 1;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int AddExtension(
        nint ssl, uint type, uint where, byte** data, nuint* length, nint certificate, nuint chain, int* alert, nint argument)
    {
        if (OpenSslHandshake.Running?.OwnConnectionId is not { } id) { return 0; }
        var bytes = (byte*)NativeMemory.Alloc((nuint)id.Length + 1);
        bytes[0] = (byte)id.Length;
        id.Span.CopyTo(new(bytes + 1, id.Length));
        *data = bytes;
        *length = (nuint)id.Length + 1;
        return 1;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void FreeExtension(nint ssl, uint type, uint where, byte* data, nint argument) => NativeMemory.Free(data);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int ParseExtension(
        nint ssl, uint type, uint where, byte* data, nuint length, nint certificate, nuint chain, int* alert, nint argument)
    {
        const int DecodeError = 50;
        if (length > 0 && data[0] == length - 1)
        {
            if (OpenSslHandshake.Running is { } running) { running.PeerConnectionId = new Span<byte>(data + 1, data[0]).ToArray(); }
            return 1;
        }
        *alert = DecodeError;
        return 0;
    }
}
