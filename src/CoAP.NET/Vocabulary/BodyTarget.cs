using System.IO.Pipelines;

namespace CoAP;

/// <summary>Where the body of a successful response is written while it comes, so that it need not fit into memory.</summary>
/// <remarks>
/// Written by the caller: with blocking writes on the thread of a sync call, with awaits in an async one; never on a lane. The next block is
/// asked for while at most <see cref="TransferSettings.ReadAhead"/> bytes wait to be written. Whoever made the stream disposes of it.
/// </remarks>
public sealed class BodyTarget
{
    private BodyTarget(Stream stream) => Stream = stream;

    internal Stream Stream { get; }

    /// <summary>A stream from where it stands now.</summary>
    /// <exception cref="ArgumentException">The stream cannot be written.</exception>
    public static BodyTarget To(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return stream.CanWrite ? new BodyTarget(stream) : throw new ArgumentException("The stream cannot be written.", nameof(stream));
    }

    /// <summary>A pipe; it is flushed as the body comes, and not completed.</summary>
    public static BodyTarget To(PipeWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        return new BodyTarget(writer.AsStream(leaveOpen: true));
    }
}
