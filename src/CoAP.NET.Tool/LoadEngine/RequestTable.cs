using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace CoAP.Tool.LoadEngine;

/// <summary>The requests without an answer, found by token. Allocates nothing after its construction.</summary>
/// <remarks>A token is the number of the slot and, above it, how often the slot was used. So a late answer matches nothing.</remarks>
internal sealed unsafe class RequestTable : IDisposable
{
    private const long MostBytes = 1L << 32;

    private readonly RequestShape _shape;
    private readonly Slot[] _slots;
    private readonly byte* _bytes;
    private readonly int _stride;
    private readonly int _slotBits;

    /// <exception cref="ArgumentException">The requests take too much memory.</exception>
    public RequestTable(RequestShape shape, int count)
    {
        _shape = shape;
        _slotBits = count <= 1 ? 0 : BitOperations.Log2((uint)count - 1) + 1;
        _stride = (shape.Bytes.Length + 15) & ~15;
        if ((long)_stride * count > MostBytes)
        {
            throw new ArgumentException($"{count} requests of {shape.Bytes.Length} bytes take more than {MostBytes >> 20} MiB.", nameof(count));
        }
        _slots = new Slot[count];
        _bytes = (byte*)NativeMemory.AllocZeroed((nuint)count, (nuint)_stride);
        for (var slot = 0; slot < count; slot++) { shape.Bytes.CopyTo(new Span<byte>(Start(slot), _stride)); }
    }

    public int Count => _slots.Length;

    /// <summary>The length of each request in bytes.</summary>
    public int RequestLength => _shape.Bytes.Length;

    public ref Slot this[int slot] => ref _slots[slot];

    public byte* Start(int slot) => _bytes + ((nint)slot * _stride);

    public ReadOnlySpan<byte> Request(int slot) => new(Start(slot), RequestLength);

    /// <summary>Puts a new request into a slot. A due time of 0 means "as soon as possible".</summary>
    public void Begin(int index, int peer, ushort messageId, long since, bool isMeasured)
    {
        ref var slot = ref _slots[index];
        var generation = slot.Generation + 1;
        slot = new Slot
        {
            Generation = generation,
            Token = ((ulong)generation << _slotBits) | (uint)index,
            Peer = peer,
            IsQueued = slot.IsQueued,
            MessageId = messageId,
            Since = since,
            IsBusy = true,
            IsMeasured = isMeasured,
        };
        _shape.Number(new Span<byte>(Start(index), RequestLength), messageId, slot.Token);
    }

    /// <summary>Returns the slot whose request an answer with this token on this socket belongs to, or -1.</summary>
    public int Match(int peer, ReadOnlySpan<byte> token)
    {
        if (token.Length != RequestShape.TokenLength) { return -1; }
        var value = BinaryPrimitives.ReadUInt64BigEndian(token);
        var index = value & ((1UL << _slotBits) - 1);
        if (index >= (ulong)_slots.Length) { return -1; }
        ref var slot = ref _slots[(int)index];
        return slot.IsBusy && slot.SentAt != 0 && slot.Token == value && slot.Peer == peer ? (int)index : -1;
    }

    /// <summary>Returns the slot whose request on this socket has this message ID, or -1.</summary>
    public int FindMessageId(int peer, ushort messageId) => Array.FindIndex(_slots, slot => slot.IsBusy && slot.Peer == peer && slot.MessageId == messageId);

    public void Dispose() => NativeMemory.Free(_bytes);
}
