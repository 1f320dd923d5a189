namespace CoAP.Tests.Conformance;

/// <summary>A stream that reads from one stream and writes to another, such as the two pipes between a client and a server.</summary>
/// <param name="input">The stream to read from.</param>
/// <param name="output">The stream to write to.</param>
/// <param name="onDispose">Ends a read in progress, as the disposal of a socket does.</param>
internal sealed class DuplexStream(Stream input, Stream output, Action? onDispose = null) : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => input.ReadAsync(buffer, cancellationToken);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => output.WriteAsync(buffer, cancellationToken);

    public override Task FlushAsync(CancellationToken cancellationToken) => output.FlushAsync(cancellationToken);

    public override void Flush() => output.Flush();

    public override int Read(byte[] buffer, int offset, int count) => input.Read(buffer, offset, count);

    public override void Write(byte[] buffer, int offset, int count) => output.Write(buffer, offset, count);

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            onDispose?.Invoke();
            input.Dispose();
            output.Dispose();
        }
        base.Dispose(disposing);
    }
}
