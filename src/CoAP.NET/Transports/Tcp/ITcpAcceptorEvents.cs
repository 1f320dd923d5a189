using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Receives the events of a <see cref="TcpAcceptor"/>, on its thread.</summary>
internal interface ITcpAcceptorEvents
{
    /// <summary>Called with each accepted connection. The receiver owns the connection.</summary>
    void OnAccepted(IStreamConnection connection);

    /// <summary>Called when a connection was closed at once, because it would exceed a limit.</summary>
    void OnRefused(PeerIdentity peer, ConnectionLimit limit);

    /// <summary>Called when the system could not accept a connection. The acceptor continues.</summary>
    void OnAcceptFailed(SocketError error);

    /// <summary>Called when a connection was closed, because its TLS handshake failed.</summary>
    void OnHandshakeFailed(PeerIdentity peer, Exception error);
}
