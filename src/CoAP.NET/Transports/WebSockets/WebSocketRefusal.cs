using System.Net.WebSockets;
using System.Text;

namespace CoAP.Transports;

/// <summary>The reason for which the messages of a WebSocket are no longer read.</summary>
/// <param name="Status">The status of the Close frame.</param>
/// <param name="Reason">The text of the CoAP Abort and of the Close frame.</param>
internal sealed record WebSocketRefusal(WebSocketCloseStatus Status, string Reason)
{
    private const int LongestReason = 123;      // in bytes (RFC 6455, section 5.5)

    /// <summary>The reason, shortened to what a Close frame has room for.</summary>
    public string CloseDescription => Encoding.UTF8.GetByteCount(Reason) <= LongestReason ? Reason : Reason[..LongestReason];
}
