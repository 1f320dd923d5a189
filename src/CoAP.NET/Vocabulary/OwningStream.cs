namespace CoAP.Vocabulary;

/// <summary>A stream to read that disposes of an object after the stream.</summary>
internal sealed class OwningStream(Stream stream, IAsyncDisposable last) : Stream
{
    private bool _isDisposed;

    public override bool CanRead => stream.CanRead;

    public override bool CanSeek => stream.CanSeek;

    public override bool CanWrite => false;

    public override long Length => stream.Length;

    public override long Position { get => stream.Position; set => stream.Position = value; }

    public override int Read(byte[] buffer, int offset, int count) => stream.Read(buffer, offset, count);

    public override int Read(Span<byte> buffer) => stream.Read(buffer);

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => stream.ReadAsync(buffer, cancellationToken);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        stream.ReadAsync(buffer, offset, count, cancellationToken);

    public override long Seek(long offset, SeekOrigin origin) => stream.Seek(offset, origin);

    public override void Flush() { }

    public override void SetLength(long value) => throw new NotSupportedException("The stream can only be read.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The stream can only be read.");

    public override async ValueTask DisposeAsync()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            await EndAsync().ConfigureAwait(false);
        }
        await base.DisposeAsync().ConfigureAwait(false);
    }

    private async ValueTask EndAsync()
    {
        try { await stream.DisposeAsync().ConfigureAwait(false); }
        finally { await last.DisposeAsync().ConfigureAwait(false); }
    }

    // Streams of responses are closed on threads that may block.
    protected override void Dispose(bool disposing)
    {
        if (disposing && !_isDisposed)
        {
            _isDisposed = true;
            try { stream.Dispose(); }
            finally { last.DisposeAsync().AsTask().GetAwaiter().GetResult(); }
        }
        base.Dispose(disposing);
    }
}
