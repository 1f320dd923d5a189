using System.IO.Pipelines;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>A stream or pipe from which the body of a request is read while it is sent, so that the body need not fit into memory.</summary>
/// <remarks>
/// Can be used for one request. A sync call reads it with blocking reads on the calling thread, an async call with awaits. At most
/// <see cref="ClientTransferSettings.ReadAhead"/> bytes are read before the peer accepts them. The stream is not disposed.
/// </remarks>
public sealed class BodySource
{
    private readonly long? _start;
    private int _uses;

    private BodySource(Stream stream, long? length) => (Stream, Length, _start) = (stream, length, stream.CanSeek ? stream.Position : null);

    /// <summary>The length of the body, in bytes; <see langword="null"/> if it is not known.</summary>
    public long? Length { get; }

    internal Stream Stream { get; }

    /// <summary>Creates a source that reads a stream from its current position.</summary>
    /// <param name="stream">The stream. It is read to its end, or for <paramref name="length"/> bytes.</param>
    /// <param name="length">The length of the body, in bytes. Default: the rest of a seekable stream, otherwise unknown. A known length is sent
    /// with the first block.</param>
    /// <exception cref="ArgumentException">The stream is not readable.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    public static BodySource From(Stream stream, long? length = null) => From(stream, length, nameof(stream));

    /// <summary>Creates a source that reads a stream. Exceptions name the parameter of the caller.</summary>
    internal static BodySource From(Stream stream, long? length, string name)
    {
        ArgumentNullException.ThrowIfNull(stream, name);
        if (!stream.CanRead) { throw new ArgumentException("The stream is not readable.", name); }
        if (length is { } known) { ArgumentOutOfRangeException.ThrowIfNegative(known, nameof(length)); }
        return new BodySource(stream, length ?? (stream.CanSeek ? stream.Length - stream.Position : null));
    }

    /// <summary>Creates a source that reads a pipe. The reader is not completed.</summary>
    /// <param name="reader">The reader. It is read to the end of the pipe, or for <paramref name="length"/> bytes.</param>
    /// <param name="length">The length of the body, in bytes; <see langword="null"/> if it is not known.</param>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    public static BodySource From(PipeReader reader, long? length = null)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return From(reader.AsStream(leaveOpen: true), length);
    }

    /// <summary>Whether the stream can be read from its beginning again.</summary>
    internal bool CanRestart => _start is not null && Stream.CanSeek;

    /// <summary>Returns a new source that reads the same bytes from their beginning.</summary>
    internal BodySource Restarted()
    {
        Rewind();
        return new BodySource(Stream, Length);
    }

    /// <summary>Returns to the beginning of the body.</summary>
    internal void Rewind() => Stream.Position = _start ?? 0;

    /// <summary>Returns a source of the same bytes that disposes of an object after the stream.</summary>
    internal BodySource Before(IAsyncDisposable last) => new(new OwningStream(Stream, last), Length);

    /// <summary>Marks the source as used.</summary>
    /// <exception cref="InvalidOperationException">The source was used before.</exception>
    internal void Use()
    {
        if (Interlocked.Exchange(ref _uses, 1) != 0)
        {
            throw new InvalidOperationException("A BodySource can be used for one request only. Create a new one for each request.");
        }
    }
}
