namespace CoAP.Tool.Serving;

/// <summary>Reads a file while it stays as it was at first. Otherwise, a client could get a mixture of two versions under one entity tag.</summary>
/// <remarks>
/// The file is opened for each read. A server keeps the bodies of unfinished downloads for minutes, and open files would be used up by clients that
/// begin many of them.
/// </remarks>
internal sealed class UnchangedStream(string path, long length, DateTime time) : Stream
{
    private const FileShare AllowAll = FileShare.ReadWrite | FileShare.Delete;

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => length;

    public override long Position { get; set; }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        using var file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, AllowAll);
        var count = RandomAccess.Read(file, buffer, Position);
        if (RandomAccess.GetLength(file) != length || File.GetLastWriteTimeUtc(file) != time) { throw new IOException("The file changed while it was read."); }
        Position += count;
        return count;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => Task.FromResult(Read(buffer, offset, count));

    public override long Seek(long offset, SeekOrigin origin) =>
        Position = origin switch { SeekOrigin.Begin => offset, SeekOrigin.Current => Position + offset, _ => length + offset };

    public override void Flush() { }

    public override void SetLength(long value) => throw new NotSupportedException("The file can only be read.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The file can only be read.");
}
