using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>Native memory for the datagrams that one call sends from one socket, written one behind the other.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class SendBatch : IDisposable
{
    private const int AddressStride = 32, ControlStride = 64, UsualDatagram = 2048;

    private readonly int _size;
    private readonly int _capacity;
    private readonly AddressFamily _family;
    private readonly byte* _memory;
    private readonly byte* _addresses;
    private readonly byte* _controls;
    private readonly DataVector* _vectors;
    private readonly MessageHeader* _messages;
    private int _used;

    public SendBatch(int size, AddressFamily family)
    {
        (_size, _family, _capacity) = (size, family, Math.Max(size * UsualDatagram, UdpSettings.LargestDatagram));
        _memory = (byte*)NativeMemory.AllocZeroed((nuint)_capacity);
        _addresses = (byte*)NativeMemory.AllocZeroed((nuint)size, AddressStride);
        _controls = (byte*)NativeMemory.AllocZeroed((nuint)size, ControlStride);
        _vectors = (DataVector*)NativeMemory.AllocZeroed((nuint)size, (nuint)sizeof(DataVector));
        _messages = (MessageHeader*)NativeMemory.AllocZeroed((nuint)size, (nuint)sizeof(MessageHeader));
        for (var i = 0; i < size; i++)
        {
            var address = _addresses + (i * AddressStride);
            *(ushort*)address = family == AddressFamily.InterNetwork ? (ushort)2 : (ushort)10;
            _messages[i] = new MessageHeader
            {
                Name = address,
                NameLength = (uint)AddressBytes.Length(family),
                Vectors = _vectors + i,
                VectorCount = 1,
            };
        }
    }

    public int Count { get; private set; }

    public bool HasRoomFor(int length) => Count < _size && length <= _capacity - _used;

    /// <param name="peer">Where to.</param>
    /// <param name="source">The address to send from; none leaves it to the kernel.</param>
    /// <param name="datagram">What; there must be room for it.</param>
    public void Add(in PeerIdentity peer, in PeerIdentity source, ReadOnlySpan<byte> datagram)
    {
        ref var message = ref _messages[Count];
        AddressBytes.Write(peer, new Span<byte>(message.Name, AddressStride), _family);
        message.Control = source.IsNone ? null : _controls + (Count * ControlStride);
        message.ControlLength = source.IsNone
            ? 0
            : (nuint)ControlMessages.WriteSource(source, new Span<byte>(message.Control, ControlStride), _family);
        _vectors[Count] = new DataVector { Start = _memory + _used, Length = (nuint)datagram.Length };
        datagram.CopyTo(new Span<byte>(_memory + _used, datagram.Length));
        _used += datagram.Length;
        Count++;
    }

    /// <summary>Sends from this message on; a number below 0 means that <see cref="LinuxCalls.LastError"/> tells why not.</summary>
    public int Send(int socket, int first) =>
        LinuxCalls.SendMessages(socket, _messages + first, (uint)(Count - first), LinuxCalls.DontWait | LinuxCalls.NoSignal);

    public ReadOnlySpan<byte> Datagram(int index) => new(_vectors[index].Start, (int)_vectors[index].Length);

    public PeerIdentity Peer(int index) => AddressBytes.Read(new ReadOnlySpan<byte>(_messages[index].Name, AddressStride), _family);

    /// <summary>The address that this message was to be sent from; none if the kernel chooses.</summary>
    public PeerIdentity Source(int index, ushort port) => _messages[index].Control is null
        ? default
        : ControlMessages.ReadSource(new ReadOnlySpan<byte>(_messages[index].Control, ControlStride), port, _family);

    public void Clear() => (Count, _used) = (0, 0);

    public void Dispose()
    {
        NativeMemory.Free(_memory);
        NativeMemory.Free(_addresses);
        NativeMemory.Free(_controls);
        NativeMemory.Free(_vectors);
        NativeMemory.Free(_messages);
    }
}
