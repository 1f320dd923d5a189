using System.Net.Sockets;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>Native memory for the datagrams that one call receives. The sockets of a lane share it.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class ReceiveBatch : IDisposable
{
    private const int ControlStride = 256, CacheLine = 64;

    private readonly int _slotSize;
    private readonly MessageArray _memory;
    private readonly DataVector* _vectors;
    private readonly MessageHeader* _headers;

    public ReceiveBatch(int size, int slotSize)
    {
        (Size, _slotSize) = (size, slotSize);

        // With a stride that is a power of two, all slots would begin in the same few cache lines.
        var slotStride = ((slotSize + CacheLine - 1) & -CacheLine) + (3 * CacheLine);
        _memory = new MessageArray(size, checked(size * slotStride), ControlStride);
        _vectors = _memory.Vectors;
        _headers = _memory.Headers;
        for (var i = 0; i < size; i++)
        {
            _vectors[i] = new DataVector { Start = _memory.Data + ((nint)i * slotStride), Length = (nuint)slotSize };
            _headers[i].Control = _memory.Controls + (i * ControlStride);
        }

        Rearm(size);
    }

    public int Size { get; }

    public bool IsTruncated(int index) => (_headers[index].Flags & LinuxCalls.Truncated) != 0;

    public ReadOnlySpan<byte> Datagram(int index) => new(_vectors[index].Start, (int)Math.Min(_headers[index].Length, (uint)_slotSize));

    public PeerIdentity Peer(int index, AddressFamily family) =>
        AddressBytes.Read(new ReadOnlySpan<byte>(_headers[index].Name, AddressBytes.LengthIPv6), family);

    public ControlMessages Control(int index) => new(new ReadOnlySpan<byte>(_headers[index].Control, (int)_headers[index].ControlLength));

    /// <summary>Receives without blocking. If the result is negative, <see cref="LinuxCalls.LastError"/> has the cause.</summary>
    public int Receive(int socket) => LinuxCalls.ReceiveMessages(socket, _headers, (uint)Size, LinuxCalls.DontWait, null);

    /// <summary>Receives one entry of the error queue of the socket into slot 0. Returns <see langword="false"/> if the queue is empty.</summary>
    public bool ReceiveError(int socket)
    {
        var length = LinuxCalls.ReceiveMessage(socket, _headers, LinuxCalls.DontWait | LinuxCalls.ErrorQueue);
        if (length < 0) { return false; }
        _headers[0].Length = (uint)length;
        return true;
    }

    /// <summary>Prepares the first slots for the next receive, because the kernel has overwritten their lengths.</summary>
    public void Rearm(int count)
    {
        for (var i = 0; i < count; i++)
        {
            _headers[i].NameLength = AddressBytes.LengthIPv6;
            _headers[i].ControlLength = ControlStride;
        }
    }

    public void Dispose() => _memory.Dispose();
}
