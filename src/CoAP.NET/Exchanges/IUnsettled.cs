using System.Net.Sockets;

namespace CoAP.Exchanges;

/// <summary>A sent message that can still receive an acknowledgement, a Reset or a network error.</summary>
internal interface IUnsettled
{
    ChannelKey Key { get; }

    MessageId MessageId { get; }

    Token Token { get; }

    /// <summary>
    /// Whether the message counts against the limit of messages that peers can make this endpoint remember. Others have a separate limit.
    /// Default: <see langword="true"/>.
    /// </summary>
    bool IsCounted => true;

    /// <summary>Called when the peer has acknowledged the message (RFC 7252, section 4.2).</summary>
    void OnAcknowledged() { }

    /// <summary>Called when the peer has rejected the message with a Reset.</summary>
    void OnReset();

    /// <summary>Called when the network reports that it did not deliver the message.</summary>
    void OnNetworkError(SocketError error);

    /// <summary>Called when a layer below cannot send the message.</summary>
    void OnUndeliverable(CoapException error) => OnNetworkError(SocketError.NotConnected);
}
