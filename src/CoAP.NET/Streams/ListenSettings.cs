namespace CoAP.Streams;

/// <summary>How a server accepts connections.</summary>
/// <param name="Form">How connections are run.</param>
/// <param name="IsBlocking">Whether each connection has its own thread.</param>
/// <param name="IsDualMode">Whether sockets bound to <c>[::]</c> serve IPv4 as well.</param>
/// <param name="Tcp">The sockets and the limits of connections.</param>
/// <param name="Tls">The TLS settings.</param>
/// <param name="Time">The clock.</param>
internal sealed record ListenSettings(
    StreamLaneForm Form, bool IsBlocking, bool IsDualMode, TcpSettings Tcp, TlsServerSettings Tls, TimeProvider Time);
