namespace CoAP.Serialization;

/// <summary>Receives the messages that a <see cref="MessageFramer"/> cuts, and decides about messages that are not complete.</summary>
internal interface IFrameConsumer
{
    /// <summary>Whether the consumer can take one more message now.</summary>
    bool TakesMore { get; }

    /// <summary>Decides about a message when its header has arrived.</summary>
    FrameVerdict Judge(in StreamHeader header);

    /// <summary>Returns whether the memory for an incomplete message may grow. If not, <see cref="TakesMore"/> stays
    /// <see langword="false"/> until there is room. Called before the memory of a message of more than a few bytes grows.</summary>
    /// <param name="size">The size of the whole message.</param>
    bool MayKeep(long size);

    /// <summary>Called with a complete message.</summary>
    /// <param name="code">The code of the message.</param>
    /// <param name="bytes">The bytes of the message. Unless they are owned, they are valid only during the call.</param>
    /// <param name="isOwned">Whether the bytes are an array that belongs to the message.</param>
    void OnFrame(CoapCode code, ReadOnlyMemory<byte> bytes, bool isOwned);

    /// <summary>Called when a message is too large. The rest of it is skipped.</summary>
    void OnTooLarge(CoapCode code, in Token token);

    /// <summary>Called when the last byte of a skipped message has arrived.</summary>
    void OnSkipped(CoapCode code);

    /// <summary>Called when the bytes are not a message, or a message that is not allowed now. The bytes after it cannot be understood.</summary>
    /// <param name="error">The rule that the bytes break, or <see cref="FormatError.None"/> if there is a diagnostic.</param>
    /// <param name="diagnostic">The diagnostic of the verdict, or a text that says that memory is exhausted.</param>
    void OnUnreadable(FormatError error, string? diagnostic);
}
