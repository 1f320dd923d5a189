using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace CoAP.Load;

/// <summary>All requests without answer with their bytes, found by token and by message ID. Allocates nothing after its construction.</summary>
/// <remarks>A token is the slot's number and, above it, how often the slot was used: an answer that comes too late matches nothing.</remarks>
internal sealed unsafe class RequestTable : IDisposable
{
    private const long MostBytes = 1L << 30;
    private const int LeastGenerationBits = 2;

    private readonly RequestShape _shape;
    private readonly Slot[] _slots;
    private readonly byte* _bytes;
    private readonly int _stride;
    private readonly int _slotBits;
    private readonly ulong _tokenMask;
    private readonly int[] _byMessageId;    // slot + 1 that used this place last

    /// <exception cref="ArgumentException">The token is too short for so many requests, or they take too much memory.</exception>
    public RequestTable(RequestShape shape, int count)
    {
        _shape = shape;
        _slotBits = count <= 1 ? 0 : BitOperations.Log2((uint)count - 1) + 1;
        var tokenBits = shape.TokenLength * 8;
        if (tokenBits < _slotBits + LeastGenerationBits)
        {
            throw new ArgumentException($"A token of {shape.TokenLength} bytes cannot tell {count} requests apart.", nameof(shape));
        }
        _tokenMask = ulong.MaxValue >> (64 - tokenBits);
        _stride = (shape.Bytes.Length + 15) & ~15;
        if ((long)_stride * count > MostBytes)
        {
            throw new ArgumentException($"{count} requests of {shape.Bytes.Length} bytes take more than {MostBytes >> 20} MiB.", nameof(count));
        }
        _slots = new Slot[count];
        _byMessageId = new int[BitOperations.RoundUpToPowerOf2((uint)count * 4)];
        _bytes = (byte*)NativeMemory.Alloc((nuint)count, (nuint)_stride);
        for (var slot = 0; slot < count; slot++) { shape.Bytes.Span.CopyTo(new Span<byte>(Start(slot), _stride)); }
    }

    public int Count => _slots.Length;

    /// <summary>The length of each request in bytes.</summary>
    public int RequestLength => _shape.Bytes.Length;

    public ref Slot this[int slot] => ref _slots[slot];

    /// <summary>Where the slot's request begins.</summary>
    public byte* Start(int slot) => _bytes + ((nint)slot * _stride);

    public ReadOnlySpan<byte> Request(int slot) => new(Start(slot), RequestLength);

    /// <summary>Puts a new request into a slot.</summary>
    /// <param name="index">The slot.</param>
    /// <param name="peer">Its socket.</param>
    /// <param name="messageId">Its message ID; over TCP there is none.</param>
    /// <param name="since">When it was meant to be sent; 0 if that is as soon as possible.</param>
    /// <param name="isMeasured">Whether it belongs to the time that is measured.</param>
    public void Begin(int index, int peer, ushort messageId, long since, bool isMeasured)
    {
        ref var slot = ref _slots[index];
        var generation = slot.Generation + 1;
        slot = new Slot
        {
            Generation = generation,
            Token = (((ulong)generation << _slotBits) | (uint)index) & _tokenMask,
            Peer = peer,
            MessageId = messageId,
            Since = since,
            IsBusy = true,
            IsMeasured = isMeasured,
        };
        var request = Start(index);
        Span<byte> token = stackalloc byte[8];
        BinaryPrimitives.WriteUInt64BigEndian(token, slot.Token);
        token[(8 - _shape.TokenLength)..].CopyTo(new Span<byte>(request + _shape.TokenOffset, _shape.TokenLength));
        if (!_shape.IsDatagram) { return; }
        BinaryPrimitives.WriteUInt16BigEndian(new Span<byte>(request + 2, 2), messageId);
        _byMessageId[PlaceOf(peer, messageId)] = index + 1;
    }

    /// <summary>The slot whose request an answer with this token on this socket belongs to, or -1.</summary>
    public int Match(int peer, ReadOnlySpan<byte> token)
    {
        if (token.Length != _shape.TokenLength) { return -1; }
        ulong value = 0;
        foreach (var one in token) { value = (value << 8) | one; }
        var index = value & ((1UL << _slotBits) - 1);
        if (index >= (ulong)_slots.Length) { return -1; }
        ref var slot = ref _slots[(int)index];
        return slot.IsBusy && slot.SentAt != 0 && slot.Token == value && slot.Peer == peer ? (int)index : -1;
    }

    /// <summary>The slot whose request on this socket has this message ID, or -1.</summary>
    public int FindMessageId(int peer, ushort messageId)
    {
        var likely = _byMessageId[PlaceOf(peer, messageId)] - 1;
        if (likely >= 0 && Has(likely, peer, messageId)) { return likely; }
        for (var slot = 0; slot < _slots.Length; slot++)
        {
            if (Has(slot, peer, messageId)) { return slot; }
        }

        return -1;
    }

    public void Dispose() => NativeMemory.Free(_bytes);

    private bool Has(int index, int peer, ushort messageId)
    {
        ref var slot = ref _slots[index];
        return slot.IsBusy && slot.Peer == peer && slot.MessageId == messageId;
    }

    private int PlaceOf(int peer, ushort messageId) => (int)((((uint)peer * 2654435761u) + messageId) & (uint)(_byMessageId.Length - 1));
}
