namespace CoAP.Channels;

/// <summary>Sends on a connection by itself, and wants to know when it may.</summary>
internal interface IStreamFollower
{
    /// <summary>The peer has taken what waited for it.</summary>
    void OnRoom();

    /// <summary>Nothing more is sent on the connection.</summary>
    void OnEnded();
}
