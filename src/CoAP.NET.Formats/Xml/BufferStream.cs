using System.Buffers;

namespace CoAP.Formats;

/// <summary>A stream that writes to a buffer, for encoders that only write to streams. Reusable; not safe for concurrent use.</summary>
internal sealed class BufferStream : Stream
{
    /// <summary>The buffer that receives the bytes, or <see langword="null"/> between two documents.</summary>
    public IBufferWriter<byte>? Output { get; set; }

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer) => Output!.Write(buffer);

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
