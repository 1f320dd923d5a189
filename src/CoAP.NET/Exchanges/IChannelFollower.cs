namespace CoAP.Exchanges;

/// <summary>Receives the events of a connection on which it sends, or for which it keeps state.</summary>
internal interface IChannelFollower
{
    /// <summary>Called when the connection has sent its backlog and can send more.</summary>
    void OnRoom();

    /// <summary>Called when only pending answers are still sent on the connection. May be called more than once.</summary>
    void OnEnded();
}
