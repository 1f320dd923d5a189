namespace CoAP.Transports;

/// <summary>A stream that supports asynchronous reads and writes only, like a WebSocket.</summary>
internal abstract class AsyncOnlyStream : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("A WebSocket supports asynchronous calls only.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("A WebSocket supports asynchronous calls only.");

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
