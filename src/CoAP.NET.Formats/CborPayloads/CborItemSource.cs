using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP.Formats;

/// <summary>Reads the items of one array from bytes that arrive in pieces. Performs no I/O. Not safe for concurrent use.</summary>
/// <remarks>
/// The bytes that have arrived form a window. Items are read from it until less than a margin is left, so that an item is rarely cut off.
/// If one is, the reader's exception is dropped, and the item is read again when twice as many bytes have arrived: the time stays linear.
/// </remarks>
internal sealed class CborItemSource<T> : IDisposable
{
    private const int FirstWindow = 64 << 10;
    private const int LeastMargin = 1024;

    private readonly PayloadContract<T> _contract;
    private readonly CborReader _reader;
    private readonly bool _isOfIntegers;
    private byte[] _window = [];
    private int _readerStart;
    private int _end;
    private int _offset;
    private int _margin = LeastMargin;
    private int _lastOffset;
    private long _streamOffset;
    private bool _hasHead;
    private bool _hasAllItems;
    private bool _hasAllBytes;
    private int _isOpen;

    internal CborItemSource(PayloadContract<T> contract, PayloadLimits limits)
    {
        _contract = contract;
        Limits = limits;
        _isOfIntegers = typeof(T) == typeof(int) && contract is Int32Contract;
        _reader = new CborReader(ReadOnlyMemory<byte>.Empty, limits);
    }

    /// <summary>The bounds of what the items may cost.</summary>
    internal PayloadLimits Limits { get; }

    /// <summary>The number of items still to come; <see langword="null"/> if it is not announced or the head of the array has not arrived.</summary>
    internal long? Announced { get; private set; }

    /// <summary>Whether the array and the stream have ended.</summary>
    internal bool IsDone { get; private set; }

    /// <summary>The number of bytes that have arrived.</summary>
    internal long Received => _streamOffset + _end;

    // The place in the window of the next item.
    private int Position => _readerStart + _offset;

    /// <summary>Begins to read. Only then is memory rented, because a sequence may never be enumerated.</summary>
    /// <exception cref="InvalidOperationException">Called again: the items have left the stream, and the memory may belong to others.</exception>
    internal void Open()
    {
        if (Interlocked.Exchange(ref _isOpen, 1) != 0)
        {
            throw new InvalidOperationException("The items of a stream can be enumerated only once. Use ReadList to keep them.");
        }
        _window = ArrayPool<byte>.Shared.Rent(FirstWindow);
        Wait(_margin);
    }

    /// <summary>Reads the next item. Returns <see langword="false"/> if more bytes are needed or the array has ended.</summary>
    internal bool TryRead([MaybeNullWhen(false)] out T item)
    {
        item = default;
        if ((_offset > _lastOffset || Announced is null or 0) && !IsAtItem()) { return false; }
        _reader.BeginValue();
        try { item = _contract.Read(_reader); }
        catch (CoapPayloadException) when (_reader.EndedEarly && !_hasAllBytes)
        {
            Wait(2 * Math.Max(_end - Position, LeastMargin / 2));
            return false;
        }
        catch (CoapPayloadException exception) { throw Located(exception); }
        Announced--;
        var start = _offset;
        _offset = (int)_reader.Offset;
        if (_offset - start > _margin / 2) { Widen(_offset - start); }
        return true;
    }

    /// <summary>Reads items that are there. Returns fewer than asked for if more bytes are needed or the array has ended.</summary>
    internal int Read(Span<T> items)
    {
        var count = 0;
        while (count < items.Length)
        {
            var taken = TakeIntegers(items[count..]);
            if (taken == 0)
            {
                if (!TryRead(out var item)) { break; }
                items[count] = item;
                taken = 1;
            }
            count += taken;
        }
        return count;
    }

    /// <summary>Reads integers that are there in their usual form. 0 says nothing about the next item. Never throws.</summary>
    internal int TakeIntegers(Span<T> items)
    {
        if (!_isOfIntegers || !_hasHead || _offset > _lastOffset || _hasAllItems) { return 0; }
        var most = (int)Math.Min(items.Length, Announced ?? int.MaxValue);
        ref var first = ref Unsafe.As<T, int>(ref MemoryMarshal.GetReference(items));
        var taken = _reader.TakeInt32s(MemoryMarshal.CreateSpan(ref first, most));
        // The reader may have skipped the tag that marks CBOR: it belongs to an item that may not be there.
        if (taken == 0) { return 0; }
        _offset = (int)_reader.Offset;
        Announced -= taken;
        return taken;
    }

    /// <summary>Returns the place for the next bytes of the stream.</summary>
    /// <exception cref="CoapPayloadException">An item is larger than a payload may be.</exception>
    internal Memory<byte> Room()
    {
        var position = Position;
        var pending = _end - position;
        var most = Limits.MaxSize;
        if (pending > most)
        {
            var at = _streamOffset + position;
            throw new CoapPayloadException($"An item has more than {most} bytes; at most {most} are allowed (at byte {at}).", at);
        }
        if (pending > _window.Length / 2)
        {
            var larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(Array.MaxLength, 2L * _window.Length));
            Buffer.BlockCopy(_window, position, larger, 0, pending);
            ArrayPool<byte>.Shared.Return(_window);
            _window = larger;
        }
        else if (position > 0) { Buffer.BlockCopy(_window, position, _window, 0, pending); }
        _lastOffset += _readerStart - position;
        _streamOffset += position;
        (_readerStart, _offset, _end) = (0, 0, pending);
        return _window.AsMemory(_end);
    }

    /// <summary>Accepts bytes that have been written to the result of <see cref="Room"/>. Zero bytes end the stream.</summary>
    internal void Accept(int count)
    {
        _end += count;
        _hasAllBytes |= count == 0;
        _lastOffset = _hasAllBytes ? int.MaxValue : _lastOffset + count;
        if (_offset <= _lastOffset) { _reader.Reset(_window.AsMemory(_readerStart, _end - _readerStart), Limits); }
        if (_hasAllItems) { CheckEnd(); }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_window.Length == 0) { return; }
        ArrayPool<byte>.Shared.Return(_window);
        _window = [];
    }

    // The path for all but the plain case that an item of an array with a count is there.
    private bool IsAtItem()
    {
        if (_hasAllItems || _offset > _lastOffset) { return false; }
        if (!_hasHead)
        {
            _readerStart = CborArrayHead.Read(_window.AsSpan(0, Math.Min(_end, CborArrayHead.Longest)), Limits, out var count);
            if (!_hasAllBytes) { _lastOffset -= _readerStart; }
            Announced = count;
            _hasHead = true;
            _reader.Reset(_window.AsMemory(_readerStart, _end - _readerStart), Limits);
        }
        var isBreak = Announced is null && Position < _end && _window[Position] == CborMajor.Break;
        if (!isBreak && Announced is not 0) { return true; }
        if (isBreak) { _offset++; }
        _hasAllItems = true;
        CheckEnd();
        return false;
    }

    private void CheckEnd()
    {
        if (Position < _end)
        {
            var at = _streamOffset + Position;
            throw new CoapPayloadException($"The stream continues after the array (at byte {at}).", at);
        }
        IsDone = _hasAllBytes;
        _lastOffset = _hasAllBytes ? int.MaxValue : _offset;
    }

    // Waits until a number of bytes is there, or the stream has ended.
    private void Wait(int bytes) => _lastOffset = _hasAllBytes ? int.MaxValue : _end - _readerStart - bytes;

    private void Widen(int itemLength)
    {
        _margin = Math.Min(2 * itemLength, FirstWindow / 2);
        Wait(_margin);
    }

    // The reader knows the window only.
    private CoapPayloadException Located(CoapPayloadException exception)
    {
        if (exception.Offset is not { } offset) { return exception; }
        var at = _streamOffset + _readerStart + offset;
        return new CoapPayloadException(exception.Message.Replace($"(at byte {offset})", $"(at byte {at})", StringComparison.Ordinal), at, exception);
    }
}
