using CoAP.Signaling;

namespace CoAP.Streams;

/// <summary>Is told what a <see cref="FrameCutter"/> found.</summary>
internal interface IFrameConsumer
{
    /// <summary>Whether it can take one more message now.</summary>
    bool TakesMore { get; }

    /// <summary>What becomes of a message of which only the header is there.</summary>
    FrameVerdict Judge(in FrameStart start);

    /// <summary>Whether so many bytes may be kept for the message that is not whole. If not, <see cref="TakesMore"/> is not either, until they may.</summary>
    /// <param name="size">In all, those that are kept already among them.</param>
    /// <param name="isWhole">Whether it is the memory of the whole message; less is only told, and may always be kept.</param>
    bool MayKeep(int size, bool isWhole);

    /// <summary>A whole message is there.</summary>
    /// <param name="code">Its code.</param>
    /// <param name="bytes">Its bytes, valid during the call unless they are its own.</param>
    /// <param name="isOwned">Whether the bytes are an array of its own.</param>
    void OnFrame(CoapCode code, ReadOnlyMemory<byte> bytes, bool isOwned);

    /// <summary>A message is too large; its body is skipped from now on.</summary>
    void OnTooLarge(CoapCode code, in Token token);

    /// <summary>The last byte of a message that was too large is there.</summary>
    void OnSkipped(CoapCode code);

    /// <summary>The bytes are no message, or one that must not come: nothing behind it can be understood.</summary>
    void OnUnreadable(FormatError error, string? diagnostic);
}

/// <summary>What the header of a message tells.</summary>
/// <param name="Code">The code.</param>
/// <param name="TotalLength">The bytes from the first of the header to the last of the payload.</param>
/// <param name="TokenLength">The bytes of the token.</param>
/// <param name="ExtendedLength">Those bytes of the header that extend the Len field.</param>
internal readonly record struct FrameStart(CoapCode Code, long TotalLength, int TokenLength, int ExtendedLength);
