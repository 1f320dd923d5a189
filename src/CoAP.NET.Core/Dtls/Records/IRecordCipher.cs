namespace CoAP.Dtls;

/// <summary>Encrypts and decrypts in place. Not safe for concurrent use: each lane has one.</summary>
internal interface IRecordCipher
{
    /// <summary>Encrypts a text and writes its tag.</summary>
    /// <param name="key">The algorithm and the key.</param>
    /// <param name="nonce">12 bytes.</param>
    /// <param name="associatedData">The bytes that are protected but not encrypted.</param>
    /// <param name="text">The text.</param>
    /// <param name="tag">The place of the tag.</param>
    void Seal(in RecordKey key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, Span<byte> tag);

    /// <summary>Decrypts a text. Returns <see langword="false"/> if it is not authentic; the text is then undefined.</summary>
    /// <inheritdoc cref="Seal" path="/param"/>
    bool TryOpen(in RecordKey key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, ReadOnlySpan<byte> tag);
}
