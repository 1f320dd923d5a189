namespace CoAP.Exchanges;

/// <summary>Sends on a connection by itself or keeps something for it, and wants to know how it is.</summary>
internal interface IChannelFollower
{
    /// <summary>The peer has taken what waited for it.</summary>
    void OnRoom();

    /// <summary>Nothing more is sent on the connection but answers that are due; perhaps more than once.</summary>
    void OnEnded();
}
