using CoAP.Runtimes;

namespace CoAP.Streams;

/// <summary>The settings of outgoing connections.</summary>
/// <param name="Reconnect">The waits after failures.</param>
/// <param name="Tcp">The socket settings.</param>
/// <param name="Tls">The TLS settings.</param>
/// <param name="Network">The in-memory network; <see langword="null"/> if there is none.</param>
/// <param name="Time">The clock.</param>
/// <param name="Runtime">Continues the callers that wait for a connection.</param>
internal sealed record ConnectSettings(
    ReconnectSettings Reconnect, TcpSettings Tcp, TlsClientSettings Tls, InMemoryNetwork? Network, TimeProvider Time,
    EndpointRuntime Runtime);
