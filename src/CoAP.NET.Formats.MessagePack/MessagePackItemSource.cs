using System.Buffers;
using Nerdbank.MessagePack;
using PolyType;

namespace CoAP.Formats;

/// <summary>Takes the bytes of an array as they arrive and returns its items.</summary>
internal sealed class MessagePackItemSource<T>(MessagePackFormat format) : IDisposable
{
    private const int FirstRoom = 64 << 10;

    private readonly ITypeShape<T> _shape = format.ShapeOf<T>();
    private byte[] _buffer = [];
    private MessagePackScan _scan;
    private int _start, _end;
    private long _origin;       // the offset of the buffer in the stream
    private long? _left;        // the number of items that have not been returned; not known before the head of the array
    private bool _hasEnded;

    /// <summary>Whether the array and the stream have ended.</summary>
    public bool IsDone => _hasEnded && _left == 0;

    /// <summary>Returns room for more bytes.</summary>
    public Memory<byte> Room()
    {
        if (_buffer.Length == 0) { _buffer = ArrayPool<byte>.Shared.Rent(FirstRoom); }
        if (_end == _buffer.Length) { MakeRoom(); }
        return _buffer.AsMemory(_end);
    }

    /// <summary>Accepts bytes that have been written to the room. None means that the stream has ended.</summary>
    public void Accept(int count)
    {
        _end += count;
        _hasEnded = count == 0;
    }

    /// <summary>Returns the next item if all of its bytes have arrived.</summary>
    /// <exception cref="CoapPayloadException">The stream is not an array of such items.</exception>
    public bool TryRead(out T item)
    {
        item = default!;
        if (_left is null && !TryReadHead()) { return false; }
        var bytes = _buffer.AsMemory(_start, _end - _start);
        if (_left == 0) { return bytes.IsEmpty ? false : throw At("The stream continues after the array"); }
        if (!_scan.TryFinish(bytes.Span, format.Limits, _origin + _start))
        {
            format.Limits.CheckSize(bytes.Length);
            return _hasEnded ? throw At("The stream ends before the end of the array") : false;
        }
        format.Limits.CheckSize(_scan.Length);
        item = format.Read(bytes[.._scan.Length], _shape, _origin + _start);
        _start += _scan.Length;
        _left--;
        _scan = default;
        return true;
    }

    public void Dispose()
    {
        if (_buffer.Length > 0) { ArrayPool<byte>.Shared.Return(_buffer); }
        _buffer = [];
    }

    private bool TryReadHead()
    {
        var bytes = _buffer.AsSpan(_start, _end - _start);
        switch (MessagePackPrimitives.TryReadArrayHeader(bytes, out var count, out var length))
        {
            case MessagePackPrimitives.DecodeResult.Success:
                _left = count;
                _start += length;
                return true;
            case MessagePackPrimitives.DecodeResult.TokenMismatch:
                throw At($"Expected an array; found {MessagePackCode.ToFormatName(bytes[0])}");
            default: return _hasEnded ? throw At("The stream ends where an array is expected") : false;
        }
    }

    private void MakeRoom()
    {
        var rest = _buffer.AsSpan(_start, _end - _start);
        var next = rest.Length > _buffer.Length / 2 ? ArrayPool<byte>.Shared.Rent(2 * _buffer.Length) : _buffer;
        rest.CopyTo(next);
        if (next != _buffer) { ArrayPool<byte>.Shared.Return(_buffer); }
        (_buffer, _origin, _start, _end) = (next, _origin + _start, 0, rest.Length);
    }

    private CoapPayloadException At(string message) => new($"{message} (at byte {_origin + _start}).", _origin + _start);
}
