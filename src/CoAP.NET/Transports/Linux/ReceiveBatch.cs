using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>Native memory for the datagrams that one call receives; the sockets of a lane use it in turn.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class ReceiveBatch : IDisposable
{
    private const int AddressStride = 32, ControlStride = 256, Line = 64;

    private readonly int _slotSize;
    private readonly int _slotStride;
    private readonly byte* _memory;
    private readonly byte* _addresses;
    private readonly byte* _controls;
    private readonly DataVector* _vectors;
    private readonly MessageHeader* _messages;

    public ReceiveBatch(int size, int slotSize)
    {
        (Size, _slotSize) = (size, slotSize);

        // Slots that lie powers of two apart would all begin in the same few lines of the processor's caches.
        _slotStride = ((slotSize + Line - 1) & -Line) + (3 * Line);
        _memory = (byte*)NativeMemory.AllocZeroed((nuint)size, (nuint)_slotStride);
        _addresses = (byte*)NativeMemory.AllocZeroed((nuint)size, AddressStride);
        _controls = (byte*)NativeMemory.AllocZeroed((nuint)size, ControlStride);
        _vectors = (DataVector*)NativeMemory.AllocZeroed((nuint)size, (nuint)sizeof(DataVector));
        _messages = (MessageHeader*)NativeMemory.AllocZeroed((nuint)size, (nuint)sizeof(MessageHeader));
        for (var i = 0; i < size; i++)
        {
            _vectors[i] = new DataVector { Start = _memory + ((nint)i * _slotStride), Length = (nuint)slotSize };
            _messages[i] = new MessageHeader
            {
                Name = _addresses + (i * AddressStride),
                Vectors = _vectors + i,
                VectorCount = 1,
                Control = _controls + (i * ControlStride),
            };
        }

        Rearm(size);
    }

    public int Size { get; }

    public bool IsTruncated(int index) => (_messages[index].Flags & LinuxCalls.Truncated) != 0;

    public ReadOnlySpan<byte> Datagram(int index) => new(_vectors[index].Start, (int)Math.Min(_messages[index].Length, (uint)_slotSize));

    public PeerIdentity Peer(int index, AddressFamily family) =>
        AddressBytes.Read(new ReadOnlySpan<byte>(_messages[index].Name, AddressBytes.LengthIPv6), family);

    public ControlMessages Control(int index) => new(new ReadOnlySpan<byte>(_messages[index].Control, (int)_messages[index].ControlLength));

    /// <summary>Receives without blocking; a number below 0 means that <see cref="LinuxCalls.LastError"/> tells why not.</summary>
    public int Receive(int socket) => LinuxCalls.ReceiveMessages(socket, _messages, (uint)Size, LinuxCalls.DontWait, null);

    /// <summary>Receives one entry of the socket's error queue into slot 0.</summary>
    public bool ReceiveError(int socket)
    {
        var length = LinuxCalls.ReceiveMessage(socket, _messages, LinuxCalls.DontWait | LinuxCalls.ErrorQueue);
        if (length < 0) { return false; }
        _messages[0].Length = (uint)length;
        return true;
    }

    /// <summary>Makes the first slots ready to receive again; the kernel has overwritten the lengths.</summary>
    public void Rearm(int count)
    {
        for (var i = 0; i < count; i++)
        {
            _messages[i].NameLength = AddressBytes.LengthIPv6;
            _messages[i].ControlLength = ControlStride;
        }
    }

    public void Dispose()
    {
        NativeMemory.Free(_memory);
        NativeMemory.Free(_addresses);
        NativeMemory.Free(_controls);
        NativeMemory.Free(_vectors);
        NativeMemory.Free(_messages);
    }
}
