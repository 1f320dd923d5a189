namespace CoAP.Serialization;

/// <summary>The result of reading a message from a buffer that may not contain all of it.</summary>
public enum ReadOutcome
{
    /// <summary>A message was read.</summary>
    Message,

    /// <summary>The buffer ends inside a message; nothing was consumed.</summary>
    NeedMore,

    /// <summary>The bytes are not a message.</summary>
    Malformed,
}
