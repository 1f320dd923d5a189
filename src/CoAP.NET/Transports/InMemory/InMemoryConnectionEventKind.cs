namespace CoAP;

/// <summary>What has happened to a connection on an <see cref="InMemoryNetwork"/>.</summary>
public enum InMemoryConnectionEventKind
{
    /// <summary>The sender has opened the connection to the receiver.</summary>
    Opened,

    /// <summary>The sender has sent bytes.</summary>
    Sent,

    /// <summary>The sender has ended its direction; it sends nothing more.</summary>
    Ended,

    /// <summary>The network has broken the direction from the sender to the receiver.</summary>
    Broken,
}
