namespace CoAP.Tool.Requests;

/// <summary>The stream that the body of a response is written to while it arrives, so that it may be larger than memory.</summary>
/// <remarks>A file gets its name when the body is complete. Until then, and after a failure, an existing file stays as it is.</remarks>
internal sealed class ResponseStream(Stream stream, string? path) : IDisposable
{
    private const string Suffix = ".part";

    private long _length;

    /// <summary>What the request writes to.</summary>
    public BodyTarget Target => BodyTarget.To(new CountingStream(stream, count => _length += count));

    /// <summary>The number of bytes written.</summary>
    public long Length => _length;

    public static ResponseStream ToFile(string path) => new(File.Create(path + Suffix), path);

    /// <summary>Writes the payload of an error response, which does not go to the target, to the output, but never to the file.</summary>
    public void WriteError(ReadOnlySpan<byte> payload)
    {
        if (path is null) { stream.Write(payload); }
    }

    /// <summary>Gives the file its name.</summary>
    public void Complete()
    {
        stream.Flush();
        if (path is null) { return; }
        stream.Dispose();
        File.Move(path + Suffix, path, overwrite: true);
    }

    public void Dispose()
    {
        if (path is null) { return; }
        stream.Dispose();
        File.Delete(path + Suffix);
    }
}
