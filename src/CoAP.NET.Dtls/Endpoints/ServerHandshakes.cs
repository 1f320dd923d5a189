using System.Buffers.Binary;
using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using CoAP.Dtls.OpenSsl;
using Microsoft.Extensions.Logging;

namespace CoAP.Dtls;

/// <summary>Creates the handshakes of a server: with pre-shared keys, certificates or raw public keys, as the client prefers.</summary>
internal sealed class ServerHandshakes : IHandshakeSource
{
    private const int SecretLength = 32;
    private const int MaxClientCertificate = 8 * 1024;
    private const string RsaKey = "1.2.840.113549.1.1.1";

    private readonly DtlsServerSettings _settings;
    private readonly CipherSuite[] _suites;
    private readonly SslContext? _keys;
    private readonly SslContext? _rawKeys;
    private readonly Resumption? _resumption;
    private readonly KeyLog? _keyLog;
    private readonly ConditionalWeakTable<SslStreamCertificateContext, SslContext> _certificates = [];   // a source can replace its certificate

    /// <exception cref="InvalidOperationException">There are no keys, or no cipher suite for them.</exception>
    /// <exception cref="PlatformNotSupportedException">The system has no OpenSSL 3, or no OpenSSL 3.2 for raw public keys.</exception>
    /// <exception cref="IOException">The key log cannot be written.</exception>
    public ServerHandshakes(DtlsServerSettings settings)
    {
        ThrowIfContradictory(settings);
        (_settings, Keys) = (settings, settings.PreSharedKeys);
        var hasPublicKey = settings is not { Certificate: null, RawKeyPair: null };
        _suites = [.. settings.Suites.Where(suite => suite.KeyExchange == KeyExchange.Certificate ? hasPublicKey : Keys is not null)];
        if (_suites.Length == 0)
        {
            throw new InvalidOperationException(
                "None of DtlsServerSettings.CipherSuites works with the server's keys. PSK suites need PreSharedKeys, the others Certificate or RawKeyPair.");
        }
        var secret = settings.TicketSecret?.ToArray() ?? RandomNumberGenerator.GetBytes(SecretLength);
        _resumption = settings.AllowsResumption ? new Resumption(settings.ResumptionLifetime, secret, settings.MaxResumableSessions) : null;
        if (Keys is not null) { _keys = SslContext.ForPreSharedKeys(isServer: true, SuiteNames.OfKeys(_suites), _resumption, settings.PreSharedKeyHint); }
        else { OpenSslLibrary.Require(); }
        if (settings.RawKeyPair is { } pair)
        {
            _rawKeys = SslContext.ForRawKeys(
                isServer: true, SuiteNames.OfCertificates(_suites), pair.ExportPkcs8PrivateKey(), requires: settings.ValidateRawClientKey is not null, _resumption);
        }
        _keyLog = KeyLog.Open(settings.KeyLogFile);
    }

    public bool IsServer => true;

    public IPskStore? Keys { get; }

    public int MaxIdentity => _settings.MaxPreSharedKeyIdentity;

    public void UseLog(ILogger logger) => _settings.Certificate?.Logger = logger;

    public void Begin(out OpenSslHandshake created, in HandshakeStart start)
    {
        var hello = start.ClientHello!;
        var context = ContextFor(hello);
        created = new OpenSslHandshake(context, start.OwnId)
        {
            Peer = new PeerCheck
            {
                Certificates = new CertificateCheck(_settings.TrustedRoots, name: null, _settings.Revocation, _settings.ValidateClient),
                RawKeys = context == _rawKeys && _settings.ValidateRawClientKey is { } validate
                    ? key => CallbackException.Call("ValidateRawClientKey", TlsFailure.Certificate, () => validate(key)) : null,
                MaxCertificate = MaxClientCertificate,
            },
            KeyLog = _keyLog,
            OffersRoutabilityCheck = _settings.UsesRoutabilityCheck,
        };
        created.BindResumption(ClientHello.ServerNameOf(hello));
        created.Begin(hello);
    }

    public void OnFatalAlert(SecuredPeer peer)
    {
        if (peer.ResumptionId.Length == 0) { return; }
        foreach (var context in (IEnumerable<SslContext?>)[_keys, _rawKeys, .. _certificates.Select(static pair => pair.Value)])
        {
            if (context is not null) { ResumableSession.Remove(context, peer.ResumptionId); }
        }
    }

    public void Dispose()
    {
        _keys?.Dispose();
        _rawKeys?.Dispose();
        foreach (var (_, context) in _certificates) { context.Dispose(); }
        if (_resumption is { } resumption) { CryptographicOperations.ZeroMemory(resumption.TicketKey); }
        _keyLog?.Dispose();
    }

    private static void ThrowIfContradictory(DtlsServerSettings settings)
    {
        if (settings is { PreSharedKeys: null, Certificate: null, RawKeyPair: null })
        {
            throw new InvalidOperationException("A DTLS server needs keys. Set DtlsServerSettings.PreSharedKeys, Certificate or RawKeyPair, or several of them.");
        }
        if (settings is { RawKeyPair: null, ValidateRawClientKey: not null })
        {
            throw new InvalidOperationException(
                "DtlsServerSettings.ValidateRawClientKey is set without RawKeyPair. A server that accepts raw public keys needs one itself.");
        }
        if (settings is { RequiresClientCertificate: true, RawKeyPair: not null, ValidateRawClientKey: null })
        {
            throw new InvalidOperationException(
                "DtlsServerSettings.RequiresClientCertificate is set, but a client that accepts the RawKeyPair of the server would need neither certificate nor key. "
                + "Set ValidateRawClientKey too, or leave out RawKeyPair.");
        }
        if (settings is { Certificate: null, RawKeyPair: null } && UnusedOf(settings) is { Length: > 0 } unused)
        {
            throw new InvalidOperationException(
                $"DtlsServerSettings sets {unused}, but neither Certificate nor RawKeyPair. A client presents a certificate only to a server that has one too. Set Certificate, or leave out {unused}.");
        }
    }

    private static string UnusedOf(DtlsServerSettings settings) => string.Join(" and ", new[]
    {
        settings.RequiresClientCertificate ? nameof(settings.RequiresClientCertificate) : null,
        settings.TrustedRoots is null ? null : nameof(settings.TrustedRoots),
        settings.ValidateClient is null ? null : nameof(settings.ValidateClient),
    }.OfType<string>());

    private SslContext ContextFor(byte[] hello)
    {
        if (_settings.Certificate is null && _rawKeys is null) { return _keys!; }
        var usesRawKeys = UsesRawKeys(hello);
        SslStreamCertificateContext? selected = null;
        if (UsesKeys(hello, suite => suite.UsesRsa == (!usesRawKeys && HasRsaKey(selected ??= Select(hello))))) { return _keys!; }
        return usesRawKeys ? _rawKeys! : _certificates.GetValue(selected ?? Select(hello), Create);
    }

    // The first suite of the client that this server can use decides. A client lists the suites that it prefers first (RFC 5246, section 7.4.1.2).
    private bool UsesKeys(byte[] hello, Predicate<CipherSuite> fitsPublicKey)
    {
        if (_keys is null) { return false; }
        for (var offered = ClientHello.SuitesOf(hello); offered.Length >= sizeof(ushort); offered = offered[sizeof(ushort)..])
        {
            var id = BinaryPrimitives.ReadUInt16BigEndian(offered);
            if (Array.Find(_suites, suite => suite.Id == id) is not { } suite) { continue; }
            if (suite.KeyExchange != KeyExchange.Certificate) { return true; }
            if (fitsPublicKey(suite)) { return false; }
        }
        return true;
    }

    private bool UsesRawKeys(byte[] hello) => _rawKeys is not null && (_settings.Certificate is null || PrefersRawKey(ClientHello.ServerKeyTypesOf(hello)));

    /// <summary>Returns whether a client prefers a raw public key of the server. It lists the types in the order of its preference (RFC 7250, section 4.1).</summary>
    /// <param name="types">The types that it accepts; empty for certificates only.</param>
    internal static bool PrefersRawKey(ReadOnlySpan<byte> types)
    {
        var (raw, certificate) = (types.IndexOf(ClientHello.RawPublicKey), types.IndexOf(ClientHello.Certificate));
        return raw >= 0 && (certificate < 0 || raw < certificate);
    }

    private static bool HasRsaKey(SslStreamCertificateContext context) => context.TargetCertificate.GetKeyAlgorithm() == RsaKey;

    private SslStreamCertificateContext Select(byte[] hello) => CallbackException.Call(
        "TlsCertificateSource.Select", TlsFailure.Certificate, () => _settings.Certificate!.Select(ClientHello.ServerNameOf(hello)));

    private SslContext Create(SslStreamCertificateContext selected) => SslContext.ForCertificates(
        isServer: true, SuiteNames.OfCertificates(_suites), selected.TargetCertificate, [.. selected.IntermediateCertificates],
        asks: _settings.TrustedRoots is not null || _settings.ValidateClient is not null, requires: _settings.RequiresClientCertificate, _resumption);
}
