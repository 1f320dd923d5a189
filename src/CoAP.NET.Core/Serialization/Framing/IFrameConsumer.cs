namespace CoAP.Serialization;

/// <summary>Receives the messages that a <see cref="MessageFramer"/> cuts, and decides about those that are not whole.</summary>
internal interface IFrameConsumer
{
    /// <summary>Whether the consumer can take one more message now.</summary>
    bool TakesMore { get; }

    /// <summary>Decides what becomes of a message of which only the header is there.</summary>
    FrameVerdict Judge(in StreamHeader header);

    /// <summary>Whether this many bytes may be kept for the message that is not whole. If not, <see cref="TakesMore"/> is
    /// <see langword="false"/> until they may.</summary>
    /// <param name="size">The size in all, with the bytes that are kept already.</param>
    /// <param name="isWhole">Whether it is the memory of the whole message. Less is only counted and may always be kept.</param>
    bool MayKeep(int size, bool isWhole);

    /// <summary>Called with a whole message.</summary>
    /// <param name="code">Its code.</param>
    /// <param name="bytes">Its bytes, valid during the call unless they are its own.</param>
    /// <param name="isOwned">Whether the bytes are an array of the message's own.</param>
    void OnFrame(CoapCode code, ReadOnlyMemory<byte> bytes, bool isOwned);

    /// <summary>Called when a message is too large; the rest of it is skipped.</summary>
    void OnTooLarge(CoapCode code, in Token token);

    /// <summary>Called with the last byte of a message that was too large.</summary>
    void OnSkipped(CoapCode code);

    /// <summary>Called when the bytes are not a message, or one that is not allowed now. The bytes behind them cannot be understood.</summary>
    /// <param name="error">What is wrong with the bytes, or <see cref="FormatError.None"/> if there is a diagnostic.</param>
    /// <param name="diagnostic">The diagnostic of the consumer's own verdict, or that there is no memory for the message.</param>
    void OnUnreadable(FormatError error, string? diagnostic);
}
