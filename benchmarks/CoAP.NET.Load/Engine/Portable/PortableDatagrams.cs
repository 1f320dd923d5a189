using System.Net.Sockets;

namespace CoAP.Load;

/// <summary>One system call for each datagram; every system has it.</summary>
internal sealed class PortableDatagrams : IDatagramCalls
{
    private const int Largest = 2048;

    private readonly byte[] _memory = new byte[IDatagramCalls.BatchSize * Largest];
    private readonly int[] _lengths = new int[IDatagramCalls.BatchSize];

    public int Receive(Socket socket)
    {
        for (var count = 0; count < IDatagramCalls.BatchSize; count++)
        {
            _lengths[count] = socket.Receive(_memory.AsSpan(count * Largest, Largest), SocketFlags.None, out var error);
            if (error is SocketError.Success or SocketError.MessageSize) { continue; }
            return count > 0 || error == SocketError.WouldBlock ? count : -1;
        }

        return IDatagramCalls.BatchSize;
    }

    public ReadOnlySpan<byte> Datagram(int index) => _memory.AsSpan(index * Largest, _lengths[index]);

    public int Send(Socket socket, RequestTable requests, ReadOnlySpan<int> slots)
    {
        for (var count = 0; count < slots.Length; count++)
        {
            socket.Send(requests.Request(slots[count]), SocketFlags.None, out var error);
            if (error != SocketError.Success) { return count > 0 || error == SocketError.WouldBlock ? count : -1; }
        }

        return slots.Length;
    }

    public void Dispose()
    {
    }
}
