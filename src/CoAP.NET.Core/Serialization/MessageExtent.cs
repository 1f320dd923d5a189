namespace CoAP.Serialization;

/// <summary>The length of a message as far as its first bytes determine it.</summary>
public readonly record struct MessageExtent
{
    private MessageExtent(MessageExtentKind kind, long length, FormatError error) => (Kind, Length, Error) = (kind, length, error);

    /// <summary>The extent of a message that does not contain its length and ends with the last byte.</summary>
    public static MessageExtent UntilEnd => default;

    /// <summary>The length of the message in bytes, or the number of bytes that are needed to determine it.</summary>
    public long Length { get; }

    /// <summary>The format rule that the bytes violate. More bytes cannot correct the error.</summary>
    public FormatError Error { get; }

    internal MessageExtentKind Kind { get; }

    /// <summary>Creates the extent of a message whose length cannot be determined without more bytes.</summary>
    /// <param name="needed">The number of bytes that are needed, from the start of the message. It exceeds the number that is available.</param>
    public static MessageExtent AtLeast(int needed) => new(MessageExtentKind.AtLeast, needed, FormatError.None);

    /// <summary>Creates the extent of a message of known length.</summary>
    /// <param name="length">The number of bytes from the start of the message.</param>
    public static MessageExtent Exactly(long length) => new(MessageExtentKind.Exactly, length, FormatError.None);

    /// <summary>Creates the extent of bytes that are not a message.</summary>
    public static MessageExtent Malformed(FormatError error) => new(MessageExtentKind.Malformed, 0, error);
}

internal enum MessageExtentKind : byte
{
    UntilEnd,
    AtLeast,
    Exactly,
    Malformed,
}
