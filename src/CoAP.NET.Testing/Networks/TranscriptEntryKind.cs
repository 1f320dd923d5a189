namespace CoAP.Testing;

/// <summary>The kinds of entries in the transcript of a <see cref="SimulatedNetwork"/>.</summary>
public enum TranscriptEntryKind
{
    /// <summary>A datagram was sent.</summary>
    Datagram,

    /// <summary>A connection was opened.</summary>
    Opened,

    /// <summary>A message was sent over a connection. Its last byte left the sender at the time of the entry.</summary>
    Message,

    /// <summary>The sender ended its direction of a connection.</summary>
    Ended,

    /// <summary>The connection was cut, or its sender failed.</summary>
    Broken,
}
