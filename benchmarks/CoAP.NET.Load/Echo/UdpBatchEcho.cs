using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Load.Echo;

/// <summary>Receives up to 32 datagrams with one call and answers them with another (Linux): by a thread of its own, or without one.</summary>
internal sealed unsafe class UdpBatchEcho
{
    private const int Size = 32, Largest = 2048, Line = 64, Stride = Largest + (3 * Line), AddressStride = 32, AddressLength = 28;
    private const int WaitForOne = 0x10000, DoNotWait = 0x40;

    private readonly int _socket;
    private readonly byte* _input = Zeroed<byte>(Size * Stride);
    private readonly byte* _output = Zeroed<byte>(Size * Line);
    private readonly byte* _addresses = Zeroed<byte>(Size * AddressStride);
    private readonly MessageHeader* _received = Zeroed<MessageHeader>(Size);
    private readonly MessageHeader* _sent = Zeroed<MessageHeader>(Size);
    private readonly DataVector* _from = Zeroed<DataVector>(Size);
    private readonly DataVector* _to = Zeroed<DataVector>(Size);

    public UdpBatchEcho(Socket socket)
    {
        _socket = (int)socket.Handle;
        for (var index = 0; index < Size; index++)
        {
            _from[index] = new DataVector { Start = _input + ((nint)index * Stride), Length = Largest };
            _received[index] = new MessageHeader { Name = _addresses + (index * AddressStride), Vectors = _from + index, VectorCount = 1 };
        }
    }

    /// <summary>Serves until the process ends.</summary>
    public static void Run(Socket socket)
    {
        var echo = new UdpBatchEcho(socket);
        while (true) { echo.Turn(WaitForOne); }
    }

    /// <summary>Answers what is there.</summary>
    public void Drain()
    {
        while (Turn(DoNotWait) > 0) { }
    }

    private int Turn(int flags)
    {
        for (var index = 0; index < Size; index++) { _received[index].NameLength = AddressLength; }
        var count = LinuxCalls.ReceiveMessages(_socket, _received, Size, flags, null);
        var answers = 0U;
        for (var index = 0; index < count; index++)
        {
            var answer = _output + (answers * Line);
            var length = BareAnswer.ToDatagram(new ReadOnlySpan<byte>(_from[index].Start, (int)_received[index].Length), new Span<byte>(answer, Line));
            if (length == 0) { continue; }
            _to[answers] = new DataVector { Start = answer, Length = (nuint)length };
            _sent[answers] = _received[index] with { Vectors = _to + answers };
            answers++;
        }

        if (answers > 0) { _ = LinuxCalls.SendMessages(_socket, _sent, answers, LinuxCalls.NoSignal); }
        return count;
    }

    private static T* Zeroed<T>(int count) where T : unmanaged => (T*)NativeMemory.AllocZeroed((nuint)count, (nuint)sizeof(T));
}
