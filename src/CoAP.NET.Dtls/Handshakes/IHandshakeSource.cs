using CoAP.Dtls.OpenSsl;
using Microsoft.Extensions.Logging;

namespace CoAP.Dtls;

/// <summary>Creates the handshakes of one side. Called on workers.</summary>
internal interface IHandshakeSource : IDisposable
{
    /// <summary>Whether this side is the server.</summary>
    bool IsServer { get; }

    /// <summary>Finds the pre-shared keys of clients; <see langword="null"/> on a client, or if the server has none.</summary>
    IPskStore? Keys { get; }

    /// <summary>The longest identity for which the store is asked, in bytes.</summary>
    int MaxIdentity => KeyIdentity.MaxLength;

    /// <summary>The longest content of a record that this side asks its peers for, in bytes (RFC 6066, section 4).</summary>
    int MaxContent => DtlsRecord.MaxContent;

    /// <summary>Creates a handshake and begins it.</summary>
    /// <param name="created">Receives the handshake, even if it fails afterwards.</param>
    /// <param name="start">The input of the handshake.</param>
    /// <exception cref="System.Security.Cryptography.CryptographicException">The handshake fails.</exception>
    void Begin(out OpenSslHandshake created, in HandshakeStart start);

    /// <summary>Called when the log of the endpoint is known.</summary>
    void UseLog(ILogger logger)
    {
    }

    /// <summary>Called on the lane when a handshake is done.</summary>
    void OnDone(OpenSslHandshake handshake, in PeerIdentity peer)
    {
    }

    /// <summary>Called on the lane when a fatal alert has ended a session, which must not be resumed then (RFC 5246, section 7.2.2).</summary>
    void OnFatalAlert(SecuredPeer peer);
}

/// <summary>The input with which a handshake starts.</summary>
/// <param name="OwnId">Our connection ID; <see langword="null"/> if none are used.</param>
/// <param name="ClientHello">The hello of the client; <see langword="null"/> on a client.</param>
/// <param name="Server">The identity of the server; none on a server.</param>
internal readonly record struct HandshakeStart(ReadOnlyMemory<byte>? OwnId, byte[]? ClientHello, PeerIdentity Server);
