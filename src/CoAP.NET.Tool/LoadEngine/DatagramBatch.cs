using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Tool.LoadEngine;

/// <summary>Datagrams that one system call receives or sends, on a connected socket.</summary>
#pragma warning disable CA1852 // The benchmarks have a form with addresses.
internal unsafe class DatagramBatch : IDisposable
#pragma warning restore CA1852
{
    /// <summary>The most datagrams of a batch.</summary>
    public const int Size = 64;

    protected const int Largest = 2048;

    // With a power of two, the starts of all datagrams would fall into few sets of the processor's cache.
    private const int Stride = Largest + (3 * 64);

    private readonly byte* _memory = LinuxCalls.Allocate<byte>(Size * Stride);

    public DatagramBatch()
    {
        for (var index = 0; index < Size; index++)
        {
            Data[index] = new DataVector { Start = _memory + ((nint)index * Stride), Length = Largest };
            Headers[index] = new MessageHeader { Vectors = Data + index, VectorCount = 1 };
        }
    }

    protected MessageHeader* Headers { get; } = LinuxCalls.Allocate<MessageHeader>(Size);

    protected DataVector* Data { get; } = LinuxCalls.Allocate<DataVector>(Size);

    /// <summary>Returns a received datagram.</summary>
    public ReadOnlySpan<byte> Datagram(int index) => new(Data[index].Start, (int)Headers[index].Length);

    /// <summary>Sets a datagram to be sent from elsewhere. The memory must stay where it is.</summary>
    public void Set(int index, byte* start, int length) => Data[index] = new DataVector { Start = start, Length = (nuint)length };

    /// <summary>Receives what is there, and returns the number of datagrams; negative if there is none.</summary>
    public int Receive(Socket socket, int most) =>
        LinuxCalls.ReceiveMessages((int)socket.Handle, Headers, (uint)Math.Min(most, Size), LinuxCalls.DontWait, null);

    /// <summary>Sends the first datagrams, and returns how many the system took; negative if none.</summary>
    public int Send(Socket socket, int count, int flags = LinuxCalls.DontWait) =>
        LinuxCalls.SendMessages((int)socket.Handle, Headers, (uint)count, flags | LinuxCalls.NoSignal);

    public void Dispose()
    {
        Dispose(isDisposing: true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool isDisposing)
    {
        NativeMemory.Free(_memory);
        NativeMemory.Free(Headers);
        NativeMemory.Free(Data);
    }
}
