using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Load;

/// <summary>One system call for up to 64 datagrams.</summary>
internal sealed unsafe class LinuxDatagrams : IDatagramCalls
{
    private const int Largest = 2048, Line = 64, Stride = Largest + (3 * Line);

    private readonly byte* _memory = Zeroed<byte>(IDatagramCalls.BatchSize * Stride);
    private readonly MessageHeader* _received = Zeroed<MessageHeader>(IDatagramCalls.BatchSize);
    private readonly MessageHeader* _sent = Zeroed<MessageHeader>(IDatagramCalls.BatchSize);
    private readonly DataVector* _from = Zeroed<DataVector>(IDatagramCalls.BatchSize);
    private readonly DataVector* _to = Zeroed<DataVector>(IDatagramCalls.BatchSize);

    public LinuxDatagrams()
    {
        for (var index = 0; index < IDatagramCalls.BatchSize; index++)
        {
            _from[index] = new DataVector { Start = _memory + ((nint)index * Stride), Length = Largest };
            _received[index] = new MessageHeader { Vectors = _from + index, VectorCount = 1 };
            _sent[index] = new MessageHeader { Vectors = _to + index, VectorCount = 1 };
        }
    }

    public int Receive(Socket socket) =>
        Outcome(LinuxCalls.ReceiveMessages((int)socket.Handle, _received, IDatagramCalls.BatchSize, LinuxCalls.DontWait, null));

    public ReadOnlySpan<byte> Datagram(int index) => new(_from[index].Start, (int)_received[index].Length);

    public int Send(Socket socket, RequestTable requests, ReadOnlySpan<int> slots)
    {
        for (var index = 0; index < slots.Length; index++)
        {
            _to[index] = new DataVector { Start = requests.Start(slots[index]), Length = (nuint)requests.RequestLength };
        }

        return Outcome(LinuxCalls.SendMessages((int)socket.Handle, _sent, (uint)slots.Length, LinuxCalls.DontWait | LinuxCalls.NoSignal));
    }

    public void Dispose()
    {
        NativeMemory.Free(_memory);
        NativeMemory.Free(_received);
        NativeMemory.Free(_sent);
        NativeMemory.Free(_from);
        NativeMemory.Free(_to);
    }

    private static int Outcome(int count) => count >= 0 ? count : LinuxCalls.HasFailed ? -1 : 0;

    private static T* Zeroed<T>(int count) where T : unmanaged => (T*)NativeMemory.AllocZeroed((nuint)count, (nuint)sizeof(T));
}
