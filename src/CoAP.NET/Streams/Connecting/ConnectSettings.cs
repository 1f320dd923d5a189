namespace CoAP.Streams;

/// <summary>How an endpoint opens connections.</summary>
/// <param name="Reconnecting">How long it waits after failures.</param>
/// <param name="Tcp">The sockets.</param>
/// <param name="Tls">How connections are secured.</param>
/// <param name="Network">The network within the process; <see langword="null"/> if there is none.</param>
/// <param name="Time">The clock.</param>
internal sealed record ConnectSettings(ReconnectSettings Reconnecting, TcpSettings Tcp, TlsClientSettings Tls, InMemoryNetwork? Network, TimeProvider Time);
