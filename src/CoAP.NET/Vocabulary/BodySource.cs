using System.IO.Pipelines;

namespace CoAP;

/// <summary>Where the body of a request is read from while it is sent, so that it need not fit into memory.</summary>
/// <remarks>
/// Good for one request. Read by the caller: with blocking reads on the thread of a sync call, with awaits in an async one; never on a lane.
/// At most <see cref="TransferSettings.ReadAhead"/> bytes are read before the peer takes them. Whoever made the stream disposes of it.
/// </remarks>
public sealed class BodySource
{
    private int _uses;

    private BodySource(Stream stream, long? length) => (Stream, Length) = (stream, length);

    /// <summary>The length of the body in bytes, where it is known before.</summary>
    public long? Length { get; }

    internal Stream Stream { get; }

    /// <summary>Whether it was used for a request, so that its bytes may be gone.</summary>
    internal bool IsUsed => Volatile.Read(ref _uses) != 0;

    /// <summary>A stream from where it stands now.</summary>
    /// <param name="stream">Is read to its end, or for the length.</param>
    /// <param name="length">Its length in bytes; where it is not said, what is left of a stream that knows its length. A peer is told the length with the first block.</param>
    /// <exception cref="ArgumentException">The stream cannot be read.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    public static BodySource From(Stream stream, long? length = null)
    {
        ArgumentNullException.ThrowIfNull(stream);
        if (!stream.CanRead) { throw new ArgumentException("The stream cannot be read.", nameof(stream)); }
        if (length is { } known) { ArgumentOutOfRangeException.ThrowIfNegative(known, nameof(length)); }
        return new BodySource(stream, length ?? (stream.CanSeek ? stream.Length - stream.Position : null));
    }

    /// <summary>A pipe, until it is completed; the reader itself is not.</summary>
    /// <param name="reader">Is read to its end, or for the length.</param>
    /// <param name="length">Its length in bytes, where it is known.</param>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    public static BodySource From(PipeReader reader, long? length = null)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return From(reader.AsStream(leaveOpen: true), length);
    }

    /// <exception cref="InvalidOperationException">It was used before.</exception>
    internal void Use()
    {
        if (Interlocked.Exchange(ref _uses, 1) != 0) { throw new InvalidOperationException("A BodySource is good for one request; its bytes may be gone."); }
    }
}
