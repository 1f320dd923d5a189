namespace CoAP.Exchanges;

/// <summary>Receives the events of a channel on which it sends, or for which it keeps state.</summary>
internal interface IChannelFollower
{
    /// <summary>Whether the channel must be kept even if nothing is sent on it.</summary>
    bool IsBusy => false;

    /// <summary>Called for each datagram from the peer.</summary>
    void OnHeard() { }

    /// <summary>Called when the connection has sent its backlog, or the account of its peer has room, so that it can send more.</summary>
    void OnRoom() { }

    /// <summary>Called when only pending answers are still sent on the connection. May be called more than once.</summary>
    void OnEnded() { }
}
