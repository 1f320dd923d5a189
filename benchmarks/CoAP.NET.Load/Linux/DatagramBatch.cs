using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace CoAP.Load;

/// <summary>Datagrams that are received, or sent, with one system call.</summary>
internal sealed unsafe class DatagramBatch : IDisposable
{
    /// <summary>The most datagrams of a batch.</summary>
    public const int Size = 64;

    private const int Largest = 2048, CacheLine = 64, Stride = Largest + (3 * CacheLine), AddressStride = 32, AddressLength = 28;
    private const int ControlStride = 32, ControlLength = 28, PacketInformation = 8;

    private readonly byte* _memory = LinuxCalls.Allocate<byte>(Size * Stride);
    private readonly byte* _addresses = LinuxCalls.Allocate<byte>(Size * AddressStride);
    private readonly byte* _controls = LinuxCalls.Allocate<byte>(Size * ControlStride);
    private readonly MessageHeader* _headers = LinuxCalls.Allocate<MessageHeader>(Size);
    private readonly DataVector* _data = LinuxCalls.Allocate<DataVector>(Size);

    public DatagramBatch()
    {
        for (var index = 0; index < Size; index++)
        {
            _data[index].Start = _memory + ((nint)index * Stride);
            _headers[index] = new MessageHeader { Vectors = _data + index, VectorCount = 1 };
        }
    }

    /// <summary>Returns the memory for a datagram to send.</summary>
    public Span<byte> Room(int index) => new(_memory + ((nint)index * Stride), Largest);

    /// <summary>Returns a received datagram.</summary>
    public ReadOnlySpan<byte> Datagram(int index) => new(_data[index].Start, (int)_headers[index].Length);

    /// <summary>Receives datagrams with their addresses and returns their number; below 0 if there are none.</summary>
    public int Receive(Socket socket, int flags)
    {
        for (var index = 0; index < Size; index++)
        {
            _headers[index].Name = _addresses + (index * AddressStride);
            _headers[index].NameLength = AddressLength;
            _data[index].Length = Largest;
        }
        return LinuxCalls.ReceiveMessages((int)socket.Handle, _headers, Size, flags, null);
    }

    /// <summary>Sets a datagram to be sent from elsewhere, on a connected socket.</summary>
    public void Set(int index, byte* start, int length) => _data[index] = new DataVector { Start = start, Length = (nuint)length };

    /// <summary>Sets a datagram to be sent from <see cref="Room"/>, to the sender of another batch's datagram.</summary>
    public void SetAnswer(int index, int length, DatagramBatch received, int to)
    {
        _data[index].Length = (nuint)length;
        _headers[index].Name = received._headers[to].Name;
        _headers[index].NameLength = received._headers[to].NameLength;
    }

    /// <summary>Sets a datagram to be sent from <see cref="Room"/> to an IPv4 endpoint, with any address of this machine as its source (IP_PKTINFO).</summary>
    public void SetForged(int index, int length, uint source, IPEndPoint to)
    {
        _headers[index].Name = _addresses + (index * AddressStride);
        _headers[index].NameLength = AddressLength;
        _headers[index].Control = _controls + (index * ControlStride);
        _headers[index].ControlLength = ControlStride;
        _data[index].Length = (nuint)length;
        var address = new Span<byte>(_headers[index].Name, AddressStride);
        MemoryMarshal.Write(address, (ushort)AddressFamily.InterNetwork);
        BinaryPrimitives.WriteUInt16BigEndian(address[2..], (ushort)to.Port);
        to.Address.TryWriteBytes(address[4..], out _);
        var information = new Span<byte>(_headers[index].Control, ControlStride);
        MemoryMarshal.Write(information, (long)ControlLength);
        MemoryMarshal.Write(information[12..], PacketInformation);
        BinaryPrimitives.WriteUInt32BigEndian(information[20..], source);
    }

    /// <summary>Sends the first datagrams and returns how many the system took; below 0 if none.</summary>
    public int Send(Socket socket, int count, int flags) => LinuxCalls.SendMessages((int)socket.Handle, _headers, (uint)count, flags | LinuxCalls.NoSignal);

    public void Dispose()
    {
        NativeMemory.Free(_memory);
        NativeMemory.Free(_addresses);
        NativeMemory.Free(_controls);
        NativeMemory.Free(_headers);
        NativeMemory.Free(_data);
    }
}
