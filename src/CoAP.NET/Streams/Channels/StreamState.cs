namespace CoAP.Streams;

/// <summary>The states of a connection. Each leads only to those after it.</summary>
internal enum StreamState
{
    /// <summary>Messages go in both directions.</summary>
    Open,

    /// <summary>The last message was written. The output is sent, the input is discarded.</summary>
    Ending,

    /// <summary>The transport is closed.</summary>
    Closed,
}
