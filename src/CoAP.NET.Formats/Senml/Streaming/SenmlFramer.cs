namespace CoAP.Formats;

/// <summary>Finds the records in the bytes of a stream that have arrived so far. Looks at each byte once.</summary>
internal abstract class SenmlFramer
{
    /// <summary>Whether the mark for the end of the stream has been found.</summary>
    public bool IsAtEnd { get; protected set; }

    /// <summary>Looks for the next record.</summary>
    /// <param name="bytes">The bytes behind those that were consumed.</param>
    /// <param name="consumed">The number of bytes that the framer does not need any more, those of the record included.</param>
    /// <returns>The place of the record, or <see langword="null"/> if it has not yet arrived, or at the end of the stream.</returns>
    public abstract Range? Next(ReadOnlySpan<byte> bytes, out int consumed);

    /// <summary>Reads a record that was found.</summary>
    public abstract SenmlRecord Read(ReadOnlyMemory<byte> bytes, SenmlRecordBuilder builder);
}
