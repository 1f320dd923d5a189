using System.Net.WebSockets;

namespace CoAP.Transports;

/// <summary>A WebSocket after its opening handshake.</summary>
/// <param name="Socket">The WebSocket.</param>
/// <param name="Below">What it writes to and reads from, where it lets messages be gathered.</param>
internal readonly record struct OpenWebSocket(WebSocket Socket, GatheringStream? Below);
