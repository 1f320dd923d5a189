using System.Net.WebSockets;

namespace CoAP.Transports;

/// <summary>A WebSocket after its opening handshake.</summary>
/// <param name="Socket">The WebSocket.</param>
/// <param name="Stream">The stream under the WebSocket, if it can batch writes.</param>
internal readonly record struct OpenWebSocket(WebSocket Socket, CoalescingStream? Stream);
