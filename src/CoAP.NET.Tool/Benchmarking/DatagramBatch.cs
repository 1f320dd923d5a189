using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Tool.Benchmarking;

/// <summary>Datagrams that one system call receives or sends, on a connected socket.</summary>
internal sealed unsafe class DatagramBatch : IDisposable
{
    /// <summary>The most datagrams of a batch.</summary>
    public const int Size = 64;

    // With a power of two, the starts of all datagrams would fall into few sets of the processor's cache.
    private const int Largest = 2048, Stride = Largest + (3 * 64);

    private readonly byte* _memory;
    private readonly MessageHeader* _headers = (MessageHeader*)NativeMemory.AllocZeroed(Size, (nuint)sizeof(MessageHeader));
    private readonly DataVector* _data = (DataVector*)NativeMemory.AllocZeroed(Size, (nuint)sizeof(DataVector));

    /// <param name="receives">Whether the batch has memory of its own, into which datagrams are received.</param>
    public DatagramBatch(bool receives)
    {
        _memory = receives ? (byte*)NativeMemory.AllocZeroed(Size, Stride) : null;
        for (var index = 0; index < Size; index++)
        {
            _headers[index] = new MessageHeader { Vectors = _data + index, VectorCount = 1 };
            if (receives) { _data[index] = new DataVector { Start = _memory + ((nint)index * Stride), Length = Largest }; }
        }
    }

    /// <summary>Returns a received datagram.</summary>
    public ReadOnlySpan<byte> this[int index] => new(_data[index].Start, (int)_headers[index].Length);

    /// <summary>Sets a datagram to send. The memory must stay where it is.</summary>
    public void Set(int index, byte* start, int length) => _data[index] = new DataVector { Start = start, Length = (nuint)length };

    /// <summary>Receives what is there, and returns the number of datagrams; negative if there is none.</summary>
    public int Receive(Socket socket, int most) =>
        LinuxCalls.ReceiveMessages((int)socket.Handle, _headers, (uint)Math.Min(most, Size), LinuxCalls.DontWait, null);

    /// <summary>Sends the first datagrams, and returns how many the system took; negative if none.</summary>
    public int Send(Socket socket, int count) => LinuxCalls.SendMessages((int)socket.Handle, _headers, (uint)count, LinuxCalls.DontWait | LinuxCalls.NoSignal);

    public void Dispose()
    {
        NativeMemory.Free(_memory);
        NativeMemory.Free(_headers);
        NativeMemory.Free(_data);
    }
}
