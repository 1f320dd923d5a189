using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace CoAP.Formats;

/// <summary>Reads the children of the root element of XML that arrives in pieces.</summary>
/// <remarks>
/// As soon as some children have arrived completely, they are parsed as a document of their own: the start of the real document up to the start tag
/// of the root, the children, and an end tag. So the parser sees each byte, and its limits apply.
/// </remarks>
internal sealed class XmlItemSource<T>(PayloadContract<T> contract, PayloadLimits limits) : TextArraySource<T>(limits)
{
    private const int LongestHead = 2 * XmlQuotas.MaxTagSize;    // parsed again with each part

    private readonly ArrayBufferWriter<byte> _document = new();
    private XmlBoundaries _boundaries;
    private XmlItemReader? _reader;
    private byte[] _head = [], _tail = [];
    private int _scanned;

    public override bool TryRead([MaybeNullWhen(false)] out T item)
    {
        item = default;
        if (_reader is null && !TryOpen()) { return false; }
        try
        {
            if (_reader!.MoveNext())
            {
                item = contract.Read(_reader);
                return true;
            }
            _reader.ReadEnd();
        }
        catch (Exception exception) when (XmlErrors.IsOfPayload(exception)) { throw _reader!.ErrorOf(exception); }
        Close();
        return TryRead(out item);
    }

    public override void Dispose()
    {
        Close();
        base.Dispose();
    }

    // Begins to parse the children that have arrived.
    private bool TryOpen()
    {
        if (IsEnded) { return false; }
        var end = _boundaries.IsEnded ? 0 : _boundaries.Scan(Pending.AsSpan(_scanned));
        if (end > 0) { end += _scanned; }
        _scanned = Pending.Count;
        if (_boundaries.HasDtd) { throw new CoapPayloadException("Invalid XML: document type definitions are not allowed."); }
        if (_head.Length == 0 && _boundaries.RootLength > 0 && !_boundaries.IsEnded) { end = TakeHead(end); }
        if (IsFinal)
        {
            IsEnded = true;
            Open(Pending, []);
            Consume(Pending.Count);
            return true;
        }
        if (end <= 0 || _boundaries.IsEnded) { return false; }
        Open(Pending[..end], _tail);
        Consume(end);
        _scanned -= end;
        return true;
    }

    private int TakeHead(int end)
    {
        if (_boundaries.RootLength > LongestHead)
        {
            throw new CoapPayloadException(
                $"The XML before the first item has {_boundaries.RootLength} bytes; at most {LongestHead} are allowed (at byte 0).", 0);
        }
        _head = Pending.AsSpan(0, _boundaries.RootLength).ToArray();
        var name = _head.AsSpan(_head.AsSpan().LastIndexOf((byte)'<') + 1);
        var length = name.IndexOfAny(" \t\r\n>"u8);
        _tail = [.. "</"u8, .. name[..length], .. ">"u8];
        Consume(_head.Length);
        _scanned -= _head.Length;
        return end - _head.Length;
    }

    private void Open(ReadOnlySpan<byte> children, ReadOnlySpan<byte> tail)
    {
        _document.ResetWrittenCount();
        _document.Write(_head);
        _document.Write(children);
        _document.Write(tail);
        _reader = XmlFormat.TakeReader();
        (_reader.IsPart, _reader.Prefix, _reader.Shift) = (true, _head.Length, Origin - _head.Length);
        try
        {
            _reader.Reset(_document.WrittenMemory, Limits);
            _reader.ReadArrayStart();
        }
        catch (Exception exception) when (XmlErrors.IsOfPayload(exception)) { throw _reader.ErrorOf(exception); }
    }

    private void Close()
    {
        if (_reader is null) { return; }
        XmlFormat.Return(_reader);
        _reader = null;
    }
}
