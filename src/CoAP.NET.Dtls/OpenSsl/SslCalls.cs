using System.Runtime.InteropServices;

namespace CoAP.Dtls.OpenSsl;

/// <summary>The calls of libssl.</summary>
internal static unsafe partial class SslCalls
{
    public const ulong LegacyServerConnect = 1UL << 2, NoQueryMtu = 1UL << 12, CookieExchange = 1UL << 13, NoTicket = 1UL << 14;
    public const ulong NoEncryptThenMac = 1UL << 19, NoRenegotiation = 1UL << 30;

    /// <summary>Commands of <see cref="ControlContext"/> and <see cref="Control"/>.</summary>
    public const int SetMtu = 17, SetMode = 33, SetCacheSize = 42, SetCacheMode = 44, SetTicketKeys = 59, SetSignatureAlgorithms = 98, SetMinVersion = 123;

    /// <summary>The value of <see cref="SetCacheMode"/> for a server that keeps sessions by their IDs.</summary>
    public const int ServerCache = 2;

    /// <summary>The value of <see cref="SetMode"/> with which a context sends exactly the certificates that it was given.</summary>
    public const int NoAutomaticChain = 8;

    /// <summary>The result of <see cref="GetError"/> if the peer must send more.</summary>
    public const int WantRead = 2;

    /// <summary>Where a custom extension may be: in ClientHello and ServerHello.</summary>
    public const uint InHellos = 0x0080 | 0x0100;

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "DTLS_server_method")]
    public static partial nint ServerMethod();

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "DTLS_client_method")]
    public static partial nint ClientMethod();

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_new")]
    public static partial nint NewContext(nint method);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_free")]
    public static partial void FreeContext(nint context);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_ctrl")]
    public static partial long ControlContext(SslContext context, int command, long argument, nint data);

    /// <summary>The command of <see cref="SetServerNameCallback"/>.</summary>
    public const int ServerNameCallback = 53;

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_callback_ctrl")]
    public static partial long SetServerNameCallback(SslContext context, int command, delegate* unmanaged[Cdecl]<nint, int*, nint, int> callback);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_options")]
    public static partial ulong SetOptions(SslContext context, ulong options);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_cipher_list", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int SetCipherList(SslContext context, string ciphers);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_psk_server_callback")]
    public static partial void SetPskServerCallback(SslContext context, delegate* unmanaged[Cdecl]<nint, byte*, byte*, uint, uint> callback);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_psk_client_callback")]
    public static partial void SetPskClientCallback(SslContext context, delegate* unmanaged[Cdecl]<nint, byte*, byte*, uint, byte*, uint, uint> callback);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_cookie_generate_cb")]
    public static partial void SetCookieGenerator(SslContext context, delegate* unmanaged[Cdecl]<nint, byte*, uint*, int> callback);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_cookie_verify_cb")]
    public static partial void SetCookieVerifier(SslContext context, delegate* unmanaged[Cdecl]<nint, byte*, uint, int> callback);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_add_custom_ext")]
    public static partial int AddExtension(
        SslContext context, uint type, uint where,
        delegate* unmanaged[Cdecl]<nint, uint, uint, byte**, nuint*, nint, nuint, int*, nint, int> add,
        delegate* unmanaged[Cdecl]<nint, uint, uint, byte*, nint, void> free, nint addArgument,
        delegate* unmanaged[Cdecl]<nint, uint, uint, byte*, nuint, nint, nuint, int*, nint, int> parse, nint parseArgument);

    /// <summary>Modes of <see cref="SetVerifyMode"/>.</summary>
    public const int VerifyPeer = 1, RequireCertificate = 2;

    /// <summary>The command of <see cref="Control"/> that sets the name in the hello of a client (RFC 6066, section 3).</summary>
    public const int SetServerName = 55;

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_verify")]
    public static partial void SetVerifyMode(SslContext context, int mode, nint callback);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_cert_verify_callback")]
    public static partial void SetVerifier(SslContext context, delegate* unmanaged[Cdecl]<nint, nint, int> callback, nint argument);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_session_id_context")]
    public static partial int SetSessionIdContext(SslContext context, byte* id, uint length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_set_session_id_context")]
    public static partial int SetSessionIdContext(SslHandle ssl, byte* id, uint length);

    /// <summary>Sets bytes that stay with a session, also in its tickets.</summary>
    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_SESSION_set1_ticket_appdata")]
    public static partial int SetSessionData(nint session, byte* data, nuint length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_SESSION_get0_ticket_appdata")]
    public static partial int GetSessionData(nint session, byte** data, nuint* length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_timeout")]
    public static partial long SetTimeout(SslContext context, long seconds);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_use_psk_identity_hint", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int UseIdentityHint(SslContext context, string hint);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_alpn_protos")]
    public static partial int SetProtocols(SslContext context, byte* protocols, uint length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_set_alpn_select_cb")]
    public static partial void SetProtocolSelector(
        SslContext context, delegate* unmanaged[Cdecl]<nint, byte**, byte*, byte*, uint, nint, int> callback, nint argument);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_new")]
    public static partial nint New(SslContext context);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_free")]
    public static partial void Free(nint ssl);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_ctrl")]
    public static partial long Control(SslHandle ssl, int command, long argument, nint data);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_set_bio")]
    public static partial void SetBio(SslHandle ssl, nint input, nint output);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_set_accept_state")]
    public static partial void SetServer(SslHandle ssl);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_set_connect_state")]
    public static partial void SetClient(SslHandle ssl);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "DTLS_set_timer_cb")]
    public static partial void SetTimer(SslHandle ssl, delegate* unmanaged[Cdecl]<nint, uint, uint> callback);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_do_handshake")]
    public static partial int Handshake(SslHandle ssl);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_get_error")]
    public static partial int GetError(SslHandle ssl, int result);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_set_shutdown")]
    public static partial void SetShutdown(SslHandle ssl, int mode);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_get_session")]
    public static partial nint GetSession(SslHandle ssl);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_set_session")]
    public static partial int SetSession(SslHandle ssl, nint session);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_session_reused")]
    public static partial int IsResumed(SslHandle ssl);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_get1_peer_certificate")]
    public static partial nint GetPeerCertificate(SslHandle ssl);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_SESSION_get_id")]
    public static partial byte* GetSessionId(nint session, uint* length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_SESSION_new")]
    public static partial nint NewSession();

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_SESSION_set_protocol_version")]
    public static partial int SetSessionVersion(nint session, int version);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_SESSION_set1_id")]
    public static partial int SetSessionId(nint session, byte* id, uint length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CTX_remove_session")]
    public static partial int RemoveSession(SslContext context, nint session);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_SESSION_is_resumable")]
    public static partial int IsResumable(nint session);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "i2d_SSL_SESSION")]
    public static partial int WriteSession(nint session, byte** bytes);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "d2i_SSL_SESSION")]
    public static partial nint ReadSession(nint target, byte** bytes, long length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_SESSION_free")]
    public static partial void FreeSession(nint session);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_SESSION_get_master_key")]
    public static partial nuint GetMasterSecret(nint session, byte* secret, nuint length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_set_tlsext_max_fragment_length")]
    public static partial int SetMaxFragmentLength(SslHandle ssl, byte code);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_SESSION_get_max_fragment_length")]
    public static partial byte GetMaxFragmentLength(nint session);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_get_client_random")]
    public static partial nuint GetClientRandom(SslHandle ssl, byte* random, nuint length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_get_server_random")]
    public static partial nuint GetServerRandom(SslHandle ssl, byte* random, nuint length);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_get_pending_cipher")]
    public static partial nint GetPendingCipher(SslHandle ssl);

    [LibraryImport(OpenSslLibrary.Ssl, EntryPoint = "SSL_CIPHER_get_protocol_id")]
    public static partial ushort GetCipherId(nint cipher);
}
