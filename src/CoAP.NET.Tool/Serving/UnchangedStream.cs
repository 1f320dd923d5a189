namespace CoAP.Tool.Serving;

/// <summary>Reads a file while it stays as it was when it was opened. Otherwise, a client could get a mixture of two versions under one entity tag.</summary>
internal sealed class UnchangedStream(FileStream file) : Stream
{
    private readonly long _length = file.Length;
    private readonly DateTime _time = File.GetLastWriteTimeUtc(file.SafeFileHandle);

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => _length;

    public override long Position { get => file.Position; set => file.Position = value; }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer) => Checked(file.Read(buffer));

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        Checked(await file.ReadAsync(buffer, cancellationToken).ConfigureAwait(false));

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override long Seek(long offset, SeekOrigin origin) => file.Seek(offset, origin);

    public override void Flush() { }

    public override void SetLength(long value) => throw new NotSupportedException("The file can only be read.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The file can only be read.");

    protected override void Dispose(bool disposing)
    {
        if (disposing) { file.Dispose(); }
        base.Dispose(disposing);
    }

    private int Checked(int count) => file.Length == _length && File.GetLastWriteTimeUtc(file.SafeFileHandle) == _time
        ? count
        : throw new IOException("The file changed while it was read.");
}
