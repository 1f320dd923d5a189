namespace CoAP.Streams;

/// <summary>The settings of outgoing connections.</summary>
/// <param name="Reconnect">The waits after failures.</param>
/// <param name="Tcp">The socket settings.</param>
/// <param name="Tls">The TLS settings.</param>
/// <param name="Network">The in-memory network; <see langword="null"/> if there is none.</param>
/// <param name="Time">The clock.</param>
internal sealed record ConnectSettings(ReconnectSettings Reconnect, TcpSettings Tcp, TlsClientSettings Tls, InMemoryNetwork? Network, TimeProvider Time);
