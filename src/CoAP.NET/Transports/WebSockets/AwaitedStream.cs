namespace CoAP.Transports;

/// <summary>A stream of bytes to and fro that has awaited calls only, as a WebSocket has.</summary>
internal abstract class AwaitedStream : Stream
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

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("WebSockets have no blocking calls.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("WebSockets have no blocking calls.");

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
