using System.Buffers.Binary;
using System.Runtime.InteropServices;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Datagrams with the addresses of their senders or receivers, which one system call receives or sends on a socket that is not connected.</summary>
internal sealed unsafe class AddressedBatch : DatagramBatch
{
    /// <summary>The flag that waits for one datagram, and takes the others that are there.</summary>
    public const int WaitForOne = 0x10000;

    private const int AddressStride = 32, AddressLength = 28, ControlStride = 32, ControlLength = 28, PacketInformation = 8;

    private readonly byte* _addresses = LinuxCalls.Allocate<byte>(Size * AddressStride);
    private readonly byte* _controls = LinuxCalls.Allocate<byte>(Size * ControlStride);

    /// <summary>Returns the memory for a datagram to send.</summary>
    public Span<byte> Room(int index) => new(Data[index].Start, Largest);

    /// <summary>Receives datagrams with their addresses and returns their number; below 0 if there are none.</summary>
    public int ReceiveFrom(Socket socket, int flags)
    {
        for (var index = 0; index < Size; index++)
        {
            Headers[index].Name = _addresses + (index * AddressStride);
            Headers[index].NameLength = AddressLength;
            Data[index].Length = Largest;
        }
        return LinuxCalls.ReceiveMessages((int)socket.Handle, Headers, Size, flags, null);
    }

    /// <summary>Sets a datagram to be sent from <see cref="Room"/>, to the sender of another batch's datagram.</summary>
    public void SetAnswer(int index, int length, AddressedBatch received, int to)
    {
        Data[index].Length = (nuint)length;
        Headers[index].Name = received.Headers[to].Name;
        Headers[index].NameLength = received.Headers[to].NameLength;
    }

    /// <summary>Sets a datagram to be sent from <see cref="Room"/> to an IPv4 endpoint, with any address of this machine as its source (IP_PKTINFO).</summary>
    public void SetForged(int index, int length, uint source, IPEndPoint to)
    {
        Headers[index].Name = _addresses + (index * AddressStride);
        Headers[index].NameLength = AddressLength;
        Headers[index].Control = _controls + (index * ControlStride);
        Headers[index].ControlLength = ControlStride;
        Data[index].Length = (nuint)length;
        var address = new Span<byte>(Headers[index].Name, AddressStride);
        MemoryMarshal.Write(address, (ushort)AddressFamily.InterNetwork);
        BinaryPrimitives.WriteUInt16BigEndian(address[2..], (ushort)to.Port);
        to.Address.TryWriteBytes(address[4..], out _);
        var information = new Span<byte>(Headers[index].Control, ControlStride);
        MemoryMarshal.Write(information, (long)ControlLength);
        MemoryMarshal.Write(information[12..], PacketInformation);
        BinaryPrimitives.WriteUInt32BigEndian(information[20..], source);
    }

    protected override void Dispose(bool isDisposing)
    {
        NativeMemory.Free(_addresses);
        NativeMemory.Free(_controls);
        base.Dispose(isDisposing);
    }
}
