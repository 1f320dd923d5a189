using System.Runtime.CompilerServices;
using System.Text.Unicode;

namespace CoAP.Formats;

/// <summary>Reads MessagePack (https://msgpack.org, spec.md). Longer forms than necessary are allowed.</summary>
/// <remarks>
/// <para>Rejects texts that are not UTF-8. Does not check that the keys of a map are unique. Outside of arrays and maps, several items may follow one
/// another.</para>
/// <para>Not safe for concurrent use.</para>
/// </remarks>
public sealed class MessagePackReader : ItemReader
{
    private MessagePackSource _source;
    private PayloadLimits _limits = PayloadLimits.Default;
    private MessagePackNesting _open;

    /// <summary>Creates a reader.</summary>
    /// <param name="payload">The payload. It must not change while it is read.</param>
    /// <param name="limits">The bounds. Default: <see cref="PayloadLimits.Default"/>.</param>
    /// <exception cref="CoapPayloadException">The payload is larger than <see cref="PayloadLimits.MaxSize"/>.</exception>
    public MessagePackReader(ReadOnlyMemory<byte> payload, PayloadLimits? limits = null)
    {
        Reset(payload, limits ?? PayloadLimits.Default);
        _limits.CheckSize(payload.Length);
    }

    /// <inheritdoc/>
    public override long Offset => _source.Offset;

    internal override bool EndedEarly => _source.EndedEarly;

    private bool IsAtEnd => _source.IsAtEnd || _open.IsAtEnd;

    /// <inheritdoc/>
    public override ItemKind Peek() => IsAtEnd ? ItemKind.End : _source.Peek();

    /// <inheritdoc/>
    public override bool TryReadNull()
    {
        if (IsAtEnd || _source.First != MessagePackByte.Nil) { return false; }
        Complete(1);
        return true;
    }

    /// <inheritdoc/>
    public override bool ReadBoolean()
    {
        var first = Begin();
        if (first is not (MessagePackByte.True or MessagePackByte.False)) { throw _source.Unexpected(ItemKind.Boolean); }
        Complete(1);
        return first == MessagePackByte.True;
    }

    /// <inheritdoc/>
    public override long ReadInt64()
    {
        var first = Begin();
        if ((sbyte)first >= MessagePackByte.MinFixInteger)
        {
            Complete(1);
            return (sbyte)first;
        }
        var value = (long)_source.WideInteger(first, out var size);
        if (value < 0 && first == MessagePackByte.UInt64) { throw Error($"The integer {(ulong)value} is greater than {long.MaxValue}"); }
        Complete(1 + size);
        return value;
    }

    /// <inheritdoc/>
    public override ulong ReadUInt64()
    {
        var first = Begin();
        if (first <= MessagePackByte.MaxFixInteger)
        {
            Complete(1);
            return first;
        }
        var isFix = (sbyte)first is < 0 and >= MessagePackByte.MinFixInteger;
        var size = 0;
        var value = isFix ? (ulong)(sbyte)first : _source.WideInteger(first, out size);
        if (isFix || (first >= MessagePackByte.Int8 && (long)value < 0)) { throw Error($"The integer {(long)value} is negative"); }
        Complete(1 + size);
        return value;
    }

    /// <inheritdoc/>
    public override double ReadDouble()
    {
        switch (Begin())
        {
            case MessagePackByte.Float64:
                var value = BitConverter.UInt64BitsToDouble(_source.Number(sizeof(double)));
                Complete(1 + sizeof(double));
                return value;
            case MessagePackByte.Float32:
                var single = BitConverter.UInt32BitsToSingle((uint)_source.Number(sizeof(float)));
                Complete(1 + sizeof(float));
                return single;
            case MessagePackByte.UInt64:
                return ReadUInt64();
            case var first when MessagePackKinds.Of(first) is ItemKind.Integer:
                return ReadInt64();
            default:
                throw _source.Unexpected(ItemKind.Float);
        }
    }

    /// <inheritdoc/>
    public override string ReadText()
    {
        var text = Text(out var length);
        if (!MessagePackText.TryRead(text, out var value)) { throw _source.InvalidUtf8(text, length); }
        Complete(length);
        return value;
    }

    /// <inheritdoc/>
    public override ReadOnlySpan<byte> ReadUtf8()
    {
        var text = Text(out var length);
        if (!Utf8.IsValid(text)) { throw _source.InvalidUtf8(text, length); }
        Complete(length);
        return text;
    }

    /// <inheritdoc/>
    public override byte[] ReadBytes()
    {
        var value = Data(ItemKind.Bytes, out var length).ToArray();
        Complete(length);
        return value;
    }

    /// <summary>Reads a point in time: extension type -1 in any of its three forms. Parts of 100 ns are cut off.</summary>
    public override DateTimeOffset ReadTimestamp()
    {
        var data = Data(ItemKind.Tagged, out var length);
        var type = _source.TypeOfExtension();
        if (type != MessagePackTimestamp.Type) { throw Error($"Expected a timestamp; found an extension of type {type}"); }
        if (MessagePackTimestamp.Read(data, out var value) is { } problem) { throw Error(problem); }
        Complete(length);
        return value;
    }

    /// <summary>Reads the data of an extension of any type.</summary>
    /// <param name="type">The type: 0 to 127 are free for applications; the specification defines those below, such as -1 for timestamps.</param>
    public byte[] ReadExtension(out sbyte type)
    {
        var data = Data(ItemKind.Tagged, out var length).ToArray();
        type = _source.TypeOfExtension();
        Complete(length);
        return data;
    }

    /// <inheritdoc/>
    public override int? ReadArrayStart() => Enter(ItemKind.Array, itemsOfEach: 1);

    /// <inheritdoc/>
    public override int? ReadMapStart() => Enter(ItemKind.Map, itemsOfEach: 2);

    /// <inheritdoc/>
    public override bool MoveNext()
    {
        if (_open.Left > 0) { return true; }
        if (_open.Depth == 0) { return !_source.IsAtEnd; }
        _open.Leave();
        return false;
    }

    /// <inheritdoc/>
    public override void Skip()
    {
        var depth = _open.Depth;
        SkipHead();
        while (_open.Depth > depth)
        {
            if (MoveNext()) { SkipHead(); }
        }
    }

    /// <inheritdoc/>
    public override void ReadEnd()
    {
        if (!_open.IsComplete) { throw Error("An array or map has more items than expected"); }
        if (!_source.IsAtEnd) { throw Error($"The payload has {_source.Left} more bytes after its last item"); }
    }

    /// <inheritdoc/>
    public override int ReadInt32s(Span<int> values)
    {
        var count = 0;
        while (count < values.Length)
        {
            var most = Math.Min(values.Length - count, Math.Max(_open.Left, 0));
            var read = MessagePackIntegers.Read(_source.Rest, values.Slice(count, most), out var length);
            _source.At += length;
            _open.Left -= read;
            count += read;

            // The next item is the end, an error, or one in an unusually long form.
            if (count < values.Length && base.ReadInt32s(values.Slice(count, 1)) == 0) { break; }
            count = Math.Min(count + 1, values.Length);
        }
        return count;
    }

    internal override int TakeInt32s(Span<int> values)
    {
        var count = MessagePackIntegers.Read(_source.Rest, values, out var length);
        _source.At += length;
        return count;
    }

    internal override void Reset(ReadOnlyMemory<byte> payload, PayloadLimits limits)
    {
        _limits = limits;
        _open.Reset();
        _source = new MessagePackSource(payload);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte Begin() => IsAtEnd ? throw NoItem() : _source.First;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Complete(int length)
    {
        _source.At += length;
        _open.Left--;
    }

    private ReadOnlySpan<byte> Data(ItemKind kind, out int length)
    {
        Begin();
        return _source.Data(kind, _limits.MaxLength, out length);
    }

    private ReadOnlySpan<byte> Text(out int length)
    {
        Begin();
        return _source.Text(_limits.MaxLength, out length);
    }

    private int Enter(ItemKind kind, int itemsOfEach)
    {
        var first = Begin();
        if (MessagePackKinds.Of(first) != kind) { throw _source.Unexpected(kind); }
        var count = _source.Count(first);
        var head = 1 + MessagePackKinds.SizeOf(first);
        if (count > _limits.MaxCount) { throw Error($"{Counted(kind, count)}; at most {_limits.MaxCount} are allowed"); }
        if (_open.Depth == _limits.MaxDepth)
        {
            throw Error($"{_open.Depth + 1} arrays and maps are inside one another; at most {_limits.MaxDepth} are allowed");
        }

        // The arrays and maps outside need their bytes, too. Without them, each level could announce as many items as there are bytes.
        var left = Math.Max(0, _source.Left - head - Math.Max(0, _open.Needed - 1));
        if (count * itemsOfEach > left) { throw _source.CutOff($"{Counted(kind, count)}, but only {left} bytes are left for them"); }
        _source.At += head;
        _open.Enter((int)count * itemsOfEach);
        return (int)count;
    }

    private static string Counted(ItemKind kind, long count) =>
        kind is ItemKind.Array ? $"The array has {count} items" : $"The map has {count} entries";

    // Reads an item without the items inside.
    private void SkipHead()
    {
        var first = Begin();
        switch (MessagePackKinds.Of(first))
        {
            case ItemKind.Array: Enter(ItemKind.Array, itemsOfEach: 1); break;
            case ItemKind.Map: Enter(ItemKind.Map, itemsOfEach: 2); break;
            case ItemKind.Integer or ItemKind.Float:
                var size = MessagePackKinds.SizeOf(first);
                if (size > 0) { _source.Number(size); }
                Complete(1 + size);
                break;
            case ItemKind.Text:
                ReadUtf8();
                break;
            case ItemKind.Bytes or ItemKind.Tagged:
                Data(MessagePackKinds.Of(first), out var length);
                Complete(length);
                break;
            default:
                Peek();
                Complete(1);
                break;
        }
    }

    private CoapPayloadException NoItem() => _source.IsAtEnd
        ? _source.CutOff("The payload ends where an item is expected")
        : Error("The array or map ends where an item is expected");
}
