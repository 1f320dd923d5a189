namespace CoAP.Tool.Requests;

/// <summary>The stream that the body of a response is written to while it arrives, so that it may be larger than memory.</summary>
/// <remarks>
/// A file gets its content in one step when the body is complete. Until then, and after a failure, an existing file stays as it is. A device or a pipe is
/// written to directly: moving a file over it would replace it.
/// </remarks>
internal sealed class ResponseStream : IDisposable
{
    private const string Devices = "/dev/";

    private readonly Stream _stream;
    private readonly bool _isFile;
    private readonly string? _path;
    private readonly string? _unfinished;
    private readonly long _maxLength;
    private long _length;

    private ResponseStream(Stream stream, bool isFile, long maxLength, string? path = null, string? unfinished = null) =>
        (_stream, _isFile, _maxLength, _path, _unfinished) = (stream, isFile, maxLength, path, unfinished);

    /// <summary>What the request writes to.</summary>
    public BodyTarget Target => BodyTarget.To(new CountingStream(_stream, Count));

    /// <summary>The number of bytes written.</summary>
    public long Length => _length;

    /// <param name="output">The standard output.</param>
    /// <param name="maxLength">The most bytes. A longer body is an error, with which the request ends.</param>
    public static ResponseStream ToOutput(Stream output, long maxLength) => new(output, isFile: false, maxLength);

    /// <exception cref="IOException">The file cannot be written.</exception>
    public static ResponseStream ToFile(string path, long maxLength)
    {
        if (Directory.Exists(path)) { throw new IOException($"'{path}' is a folder. --output needs the name of a file."); }
        var file = new FileInfo(path);
        var target = file.LinkTarget is null ? file.FullName : file.ResolveLinkTarget(returnFinalTarget: true)!.FullName;
        if (OpenDeviceOrPipe(path, target) is { } open) { return new(open, isFile: true, maxLength); }
        var unfinished = Path.Combine(Path.GetDirectoryName(target)!, $".{Path.GetFileName(target)}.{Path.GetRandomFileName()}");
        return new(new FileStream(unfinished, FileMode.CreateNew, FileAccess.Write), isFile: true, maxLength, target, unfinished);
    }

    /// <summary>Writes the payload of an error response, which does not go to the target, to the output, but never to a file.</summary>
    public void WriteError(ReadOnlySpan<byte> payload)
    {
        if (!_isFile) { _stream.Write(payload); }
    }

    /// <summary>Puts the complete file in its place.</summary>
    public void Complete()
    {
        _stream.Flush();
        if (_unfinished is null) { return; }
        _stream.Dispose();
        File.Move(_unfinished, _path!, overwrite: true);
    }

    public void Dispose()
    {
        if (!_isFile) { return; }
        _stream.Dispose();
        if (_unfinished is not null) { File.Delete(_unfinished); }
    }

    private void Count(int bytes)
    {
        if (bytes > _maxLength - _length) { throw new IOException($"The response is longer than {_maxLength} bytes. --max-size allows more."); }
        _length += bytes;
    }

    // A device is found by its place, because some of them can be positioned like a file. A pipe is opened once, because its reader ends when
    // nobody has it open for writing any more.
    private static FileStream? OpenDeviceOrPipe(string path, string target)
    {
        if (path.StartsWith(Devices, StringComparison.Ordinal)) { return new FileStream(path, FileMode.Open, FileAccess.Write); }
        if (!File.Exists(target)) { return null; }
        var file = new FileStream(target, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
        if (!file.CanSeek) { return file; }
        file.Dispose();
        return null;
    }
}
