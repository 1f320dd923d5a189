namespace CoAP.Serialization;

/// <summary>What came of reading a message from bytes of which more may follow.</summary>
public enum ReadOutcome
{
    /// <summary>A message was read.</summary>
    Message,

    /// <summary>The bytes end inside a message; nothing was consumed.</summary>
    NeedMore,

    /// <summary>The bytes are no message.</summary>
    Malformed,
}
