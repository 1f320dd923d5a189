using System.Net.Sockets;

namespace CoAP.Exchanges;

/// <summary>A message of ours that an acknowledgement, a Reset or a network error may still come back for.</summary>
internal interface IUnsettled
{
    ChannelKey Key { get; }

    MessageId MessageId { get; }

    Token Token { get; }

    /// <summary>Whether the message counts among those that peers make us remember; others are bounded by a limit of their own.</summary>
    bool IsCounted => true;

    /// <summary>
    /// Whether its acknowledgement shows that the peer's address is its own. Not where many messages to one address may be on their way, whoever
    /// asked for them: then one of few message IDs is soon guessed right.
    /// </summary>
    bool ProvesAddress => false;

    /// <summary>The peer has the message (RFC 7252, section 4.2).</summary>
    void OnAcknowledged();

    /// <summary>The peer rejected the message.</summary>
    void OnReset();

    /// <summary>The network says that the message did not arrive.</summary>
    void OnNetworkError(SocketError error);
}
