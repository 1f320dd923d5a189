using System.IO.Pipelines;

namespace CoAP;

/// <summary>A stream or pipe to which the body of a successful response is written while it arrives, so that the body need not fit into memory.</summary>
/// <remarks>
/// A sync call writes with blocking writes on the calling thread, an async call with awaits. The next block is requested while at most
/// <see cref="ClientTransferSettings.ReadAhead"/> bytes wait to be written. The stream is not disposed.
/// </remarks>
public sealed class BodyTarget
{
    private BodyTarget(Stream stream) => Stream = stream;

    internal Stream Stream { get; }

    /// <summary>Creates a target that writes to a stream from its current position.</summary>
    /// <exception cref="ArgumentException">The stream is not writable.</exception>
    public static BodyTarget To(Stream stream) => To(stream, nameof(stream));

    /// <summary>Creates a target that writes to a stream. Exceptions name the parameter of the caller.</summary>
    internal static BodyTarget To(Stream stream, string name)
    {
        ArgumentNullException.ThrowIfNull(stream, name);
        return stream.CanWrite ? new BodyTarget(stream) : throw new ArgumentException("The stream is not writable.", name);
    }

    /// <summary>Creates a target that writes to a pipe. The pipe is flushed while the body arrives. The writer is not completed.</summary>
    public static BodyTarget To(PipeWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        return new BodyTarget(writer.AsStream(leaveOpen: true));
    }
}
