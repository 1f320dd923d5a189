namespace CoAP.Serialization;

/// <summary>What the first bytes of a message tell of its length.</summary>
public readonly record struct MessageExtent
{
    private MessageExtent(MessageExtentKind kind, long length, FormatError error) => (Kind, Length, Error) = (kind, length, error);

    private MessageExtent(in StreamHeader header)
    {
        (Kind, Length) = (MessageExtentKind.Exactly, header.TotalLength);
        Header = header;
    }

    /// <summary>The message does not tell its length: where the bytes end, it ends.</summary>
    public static MessageExtent UntilEnd => default;

    /// <summary>The length in bytes, from the first byte of the message on: of the whole message, or of what has to be there to tell.</summary>
    public long Length { get; }

    /// <summary>What is wrong with the bytes; they are no message, however they go on.</summary>
    public FormatError Error { get; }

    internal MessageExtentKind Kind { get; }

    /// <summary>The header that the length is from, for messages in the form of RFC 8323.</summary>
    internal StreamHeader Header { get; }

    /// <summary>So many bytes of the message have to be there to tell.</summary>
    /// <param name="needed">Counted from the first byte of the message; more than were there.</param>
    public static MessageExtent AtLeast(int needed) => new(MessageExtentKind.AtLeast, needed, FormatError.None);

    /// <summary>The message has this length.</summary>
    /// <param name="length">Counted from the first byte of the message.</param>
    public static MessageExtent Exactly(long length) => new(MessageExtentKind.Exactly, length, FormatError.None);

    internal static MessageExtent Of(in StreamHeader header) => new(header);

    /// <summary>The bytes are no message.</summary>
    public static MessageExtent Malformed(FormatError error) => new(MessageExtentKind.Malformed, 0, error);
}

internal enum MessageExtentKind : byte
{
    UntilEnd,
    AtLeast,
    Exactly,
    Malformed,
}
