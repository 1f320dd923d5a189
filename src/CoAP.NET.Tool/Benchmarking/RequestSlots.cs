using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using CoAP.Serialization;

namespace CoAP.Tool.Benchmarking;

/// <summary>The place of one request that waits for its response.</summary>
internal struct RequestSlot
{
    /// <summary>The time stamp of the first transmission, or of when the request was due; 0 before.</summary>
    public long Since;

    /// <summary>The time stamp of the first transmission; 0 before.</summary>
    public long SentAt;

    /// <summary>The time stamp at which the request is sent again.</summary>
    public long ResendAt;

    /// <summary>The time between the last transmission and the next one.</summary>
    public long ResendWait;

    /// <summary>The number of retransmissions.</summary>
    public int Resends;

    public ulong Token;

    /// <summary>The next slot in the queue of the socket; -1 at the end.</summary>
    public int Next;

    public int Socket;
    public ushort MessageId;
    public bool IsBusy, IsQueued, IsAcknowledged;
}

/// <summary>The requests that wait for responses, and their bytes. Allocates nothing after its construction.</summary>
/// <remarks>A token is the number of a slot and, above it, how often the slot was used. So a late response matches nothing.</remarks>
internal sealed unsafe class RequestSlots : IDisposable
{
    private const int MessageIdOffset = 2, TokenOffset = 4, TokenLength = 8, Alignment = 64;

    private readonly RequestSlot[] _slots;
    private readonly byte* _bytes;
    private readonly int _stride, _bits;

    /// <param name="request">The request that all slots send, with a token of 8 bytes.</param>
    /// <param name="count">The number of slots.</param>
    public RequestSlots(CoapMessage request, int count)
    {
        var bytes = CoapMessageSerializer.Datagram.Serialize(request);
        Length = bytes.Length;
        _stride = (Length + Alignment - 1) / Alignment * Alignment;
        _bits = BitOperations.Log2((uint)count) + 1;
        _slots = new RequestSlot[count];
        _bytes = (byte*)NativeMemory.AlignedAlloc((nuint)_stride * (nuint)count, Alignment);
        for (var index = 0; index < count; index++) { bytes.CopyTo(new Span<byte>(Start(index), Length)); }
    }

    /// <summary>A token of the length that the slots use.</summary>
    public static Token AnyToken { get; } = new(new byte[TokenLength]);

    public int Count => _slots.Length;

    /// <summary>The length of a request in bytes.</summary>
    public int Length { get; }

    public ref RequestSlot this[int index] => ref _slots[index];

    /// <summary>Returns the bytes of the request in a slot.</summary>
    public byte* Start(int index) => _bytes + ((nint)index * _stride);

    /// <summary>Puts a new request into a slot.</summary>
    public void Renew(int index, ushort messageId)
    {
        ref var slot = ref _slots[index];
        slot.Token = (((slot.Token >> _bits) + 1) << _bits) | (uint)index;
        (slot.MessageId, slot.IsBusy, slot.IsAcknowledged, slot.Since, slot.SentAt) = (messageId, true, false, 0, 0);
        var bytes = new Span<byte>(Start(index), TokenOffset + TokenLength);
        BinaryPrimitives.WriteUInt16BigEndian(bytes[MessageIdOffset..], messageId);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[TokenOffset..], slot.Token);
    }

    /// <summary>Returns the slot whose request this token on this socket belongs to; -1 if there is none.</summary>
    public int Find(int socket, ReadOnlySpan<byte> token)
    {
        if (token.Length != TokenLength) { return -1; }
        var value = BinaryPrimitives.ReadUInt64BigEndian(token);
        var index = (int)(value & ((1UL << _bits) - 1));
        if (index >= _slots.Length) { return -1; }
        ref var slot = ref _slots[index];
        return slot.IsBusy && slot.SentAt != 0 && slot.Token == value && slot.Socket == socket ? index : -1;
    }

    /// <summary>Returns the slot whose request on this socket has this message ID; -1 if there is none.</summary>
    public int Find(int socket, ushort messageId)
    {
        for (var index = 0; index < _slots.Length; index++)
        {
            ref var slot = ref _slots[index];
            if (slot.IsBusy && slot.Socket == socket && slot.MessageId == messageId) { return index; }
        }
        return -1;
    }

    public void Dispose() => NativeMemory.AlignedFree(_bytes);
}
