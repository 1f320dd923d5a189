using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using System.Text.Unicode;

namespace CoAP.Formats;

/// <summary>Writes MessagePack (https://msgpack.org, spec.md). Each item has the shortest form that the specification allows.</summary>
/// <remarks>
/// Call <see cref="Flush"/> at the end: until then, the buffer may lack bytes. The writer does not check that arrays and maps get as many items as
/// announced. Not safe for concurrent use.
/// </remarks>
public sealed class MessagePackWriter : ItemWriter
{
    private const int MaxHeader = 1 + sizeof(uint), MaxNumber = 1 + sizeof(ulong);
    private const int MaxInt32 = MessagePackIntegers.MaxLength, LeastRun = 800;
    private const int MaxBytesOfChar = 3;

    private ItemBuffer _buffer;

    /// <summary>Creates a writer.</summary>
    public MessagePackWriter(IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        _buffer = new ItemBuffer(output);
    }

    /// <inheritdoc/>
    public override void WriteNull() => WriteByte(MessagePackByte.Nil);

    /// <inheritdoc/>
    public override void WriteBoolean(bool value) => WriteByte(value ? MessagePackByte.True : MessagePackByte.False);

    /// <inheritdoc/>
    public override void WriteInt64(long value)
    {
        if (value >= MessagePackByte.MinFixInteger)
        {
            if (value <= MessagePackByte.MaxFixInteger) { WriteByte((byte)value); }
            else { WriteWide((ulong)value); }
            return;
        }
        var target = Ensure(MaxNumber);
        if (value >= sbyte.MinValue) { Advance(Put8(target, MessagePackByte.Int8, (byte)value)); }
        else if (value >= short.MinValue) { Advance(Put16(target, MessagePackByte.Int16, (ushort)value)); }
        else if (value >= int.MinValue) { Advance(Put32(target, MessagePackByte.Int32, (uint)value)); }
        else { Advance(Put64(target, MessagePackByte.Int64, (ulong)value)); }
    }

    /// <inheritdoc/>
    public override void WriteUInt64(ulong value)
    {
        if (value <= MessagePackByte.MaxFixInteger) { WriteByte((byte)value); }
        else { WriteWide(value); }
    }

    /// <inheritdoc/>
    public override void WriteInt32s(ReadOnlySpan<int> values)
    {
        while (!values.IsEmpty)
        {
            var room = Ensure(MaxInt32 * Math.Min(values.Length, LeastRun));
            var run = values[..Math.Min(values.Length, room.Length / MaxInt32)];
            Advance(MessagePackIntegers.Write(room, run));
            values = values[run.Length..];
        }
    }

    /// <inheritdoc/>
    public override void WriteSingle(float value) =>
        Advance(Put32(Ensure(MaxNumber), MessagePackByte.Float32, BitConverter.SingleToUInt32Bits(value)));

    /// <inheritdoc/>
    public override void WriteDouble(double value)
    {
        // Bits are compared rather than values, so that NaN keeps its payload.
        var bits = BitConverter.DoubleToUInt64Bits(value);
        if (BitConverter.DoubleToUInt64Bits((float)value) == bits) { WriteSingle((float)value); }
        else { Advance(Put64(Ensure(MaxNumber), MessagePackByte.Float64, bits)); }
    }

    /// <inheritdoc/>
    public override void WriteText(ReadOnlySpan<char> value)
    {
        if (value.Length > MessagePackByte.MaxFixText)
        {
            var length = Encoding.UTF8.GetByteCount(value);
            var header = HeaderLength(length);
            var target = Ensure(checked(header + length));
            Encode(value, target[header..]);
            Advance(PutTextHeader(target, length) + length);
        }
        else
        {
            // A short text is almost always ASCII, so that the length is known only after encoding it.
            var target = Ensure(2 + (MaxBytesOfChar * MessagePackByte.MaxFixText));
            var length = Encode(value, target[1..]);
            if (length > MessagePackByte.MaxFixText) { target.Slice(1, length).CopyTo(target[2..]); }
            Advance(PutTextHeader(target, length) + length);
        }
    }

    /// <inheritdoc/>
    public override void WriteUtf8(ReadOnlySpan<byte> value)
    {
        Advance(PutTextHeader(Ensure(MaxHeader), value.Length));
        _buffer.Write(value);
    }

    /// <inheritdoc/>
    public override void WriteBytes(ReadOnlySpan<byte> value)
    {
        Advance(PutLength(Ensure(MaxHeader), MessagePackByte.Bytes8, value.Length));
        _buffer.Write(value);
    }

    /// <inheritdoc/>
    public override void WriteArrayStart(int count) => WriteCount(MessagePackByte.FixArray, MessagePackByte.Array16, count);

    /// <inheritdoc/>
    public override void WriteMapStart(int count) => WriteCount(MessagePackByte.FixMap, MessagePackByte.Map16, count);

    /// <summary>Writes a point in time as extension type -1, in the shortest of its three forms. The offset from UTC is lost.</summary>
    public override void WriteTimestamp(DateTimeOffset value)
    {
        Span<byte> data = stackalloc byte[MessagePackTimestamp.MaxLength];
        WriteExtension(MessagePackTimestamp.Type, data[..MessagePackTimestamp.Write(data, value)]);
    }

    /// <summary>Writes an extension.</summary>
    /// <param name="type">The type. 0 to 127 are free for applications; the specification defines those below.</param>
    /// <param name="data">The data of the extension.</param>
    public void WriteExtension(sbyte type, ReadOnlySpan<byte> data)
    {
        byte? fix = data.Length switch
        {
            1 => MessagePackByte.FixExtension1,
            2 => MessagePackByte.FixExtension2,
            4 => MessagePackByte.FixExtension4,
            8 => MessagePackByte.FixExtension8,
            16 => MessagePackByte.FixExtension16,
            _ => null,
        };
        if (fix is { } first) { WriteByte(first); }
        else { Advance(PutLength(Ensure(MaxHeader), MessagePackByte.Extension8, data.Length)); }
        WriteByte((byte)type);
        _buffer.Write(data);
    }

    /// <inheritdoc/>
    public override void Flush() => _buffer.Flush();

    internal override void Reset(IBufferWriter<byte> output) => _buffer.Reset(output);

    private static int Put8(Span<byte> target, byte first, byte value)
    {
        target[1] = value;
        target[0] = first;
        return 1 + sizeof(byte);
    }

    private static int Put16(Span<byte> target, byte first, ushort value)
    {
        BinaryPrimitives.WriteUInt16BigEndian(target[1..], value);
        target[0] = first;
        return 1 + sizeof(ushort);
    }

    private static int Put32(Span<byte> target, byte first, uint value)
    {
        BinaryPrimitives.WriteUInt32BigEndian(target[1..], value);
        target[0] = first;
        return 1 + sizeof(uint);
    }

    private static int Put64(Span<byte> target, byte first, ulong value)
    {
        BinaryPrimitives.WriteUInt64BigEndian(target[1..], value);
        target[0] = first;
        return 1 + sizeof(ulong);
    }

    // The forms with 8, 16 and 32 bits follow one another.
    private static int PutLength(Span<byte> target, byte first, int length) =>
        length <= byte.MaxValue ? Put8(target, first, (byte)length)
        : length <= ushort.MaxValue ? Put16(target, (byte)(first + 1), (ushort)length)
        : Put32(target, (byte)(first + 2), (uint)length);

    private static int PutTextHeader(Span<byte> target, int length)
    {
        if (length > MessagePackByte.MaxFixText) { return PutLength(target, MessagePackByte.Text8, length); }
        target[0] = (byte)(MessagePackByte.FixText | length);
        return 1;
    }

    private static int HeaderLength(int length) => length <= byte.MaxValue ? 2 : length <= ushort.MaxValue ? 3 : MaxHeader;

    private static int Encode(ReadOnlySpan<char> value, Span<byte> target) =>
        Utf8.FromUtf16(value, target, out var read, out var written, replaceInvalidSequences: false) is OperationStatus.Done
            ? written
            : throw new ArgumentException($"The text has a lone surrogate at index {read}.", nameof(value));

    private void WriteByte(byte value)
    {
        _buffer.Reserve(1);
        _buffer.Part[_buffer.Position++] = value;
    }

    private void WriteWide(ulong value)
    {
        var target = Ensure(MaxNumber);
        if (value <= byte.MaxValue) { Advance(Put8(target, MessagePackByte.UInt8, (byte)value)); }
        else if (value <= ushort.MaxValue) { Advance(Put16(target, MessagePackByte.UInt16, (ushort)value)); }
        else if (value <= uint.MaxValue) { Advance(Put32(target, MessagePackByte.UInt32, (uint)value)); }
        else { Advance(Put64(target, MessagePackByte.UInt64, value)); }
    }

    private void WriteCount(byte fix, byte first16, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (count <= MessagePackByte.MaxFixCount) { WriteByte((byte)(fix | count)); }
        else if (count <= ushort.MaxValue) { Advance(Put16(Ensure(MaxHeader), first16, (ushort)count)); }
        else { Advance(Put32(Ensure(MaxHeader), (byte)(first16 + 1), (uint)count)); }
    }

    // Not "+=" in the caller: it would read the position before the room is there.
    private void Advance(int length) => _buffer.Position += length;

    private Span<byte> Ensure(int length)
    {
        _buffer.Reserve(length);
        return _buffer.Part.AsSpan(_buffer.Position, _buffer.Free);
    }
}
