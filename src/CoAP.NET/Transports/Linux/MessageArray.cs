using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>Native memory for the messages of one batch call. Each message has a header, a vector, an address and space for control messages.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class MessageArray : IDisposable
{
    /// <summary>The distance in bytes between two addresses.</summary>
    public const int AddressStride = 32;

    private readonly byte* _addresses;

    /// <param name="size">The number of messages.</param>
    /// <param name="dataLength">The bytes for the datagrams of all messages.</param>
    /// <param name="controlStride">The bytes for the control messages of one message.</param>
    public MessageArray(int size, int dataLength, int controlStride)
    {
        Data = (byte*)NativeMemory.AllocZeroed((nuint)dataLength);
        _addresses = (byte*)NativeMemory.AllocZeroed((nuint)size, AddressStride);
        Controls = (byte*)NativeMemory.AllocZeroed((nuint)size, (nuint)controlStride);
        Vectors = (DataVector*)NativeMemory.AllocZeroed((nuint)size, (nuint)sizeof(DataVector));
        Headers = (MessageHeader*)NativeMemory.AllocZeroed((nuint)size, (nuint)sizeof(MessageHeader));
        for (var i = 0; i < size; i++)
        {
            Headers[i] = new MessageHeader { Name = _addresses + (i * AddressStride), Vectors = Vectors + i, VectorCount = 1 };
        }
    }

    public byte* Data { get; }

    public byte* Controls { get; }

    public DataVector* Vectors { get; }

    public MessageHeader* Headers { get; }

    public void Dispose()
    {
        NativeMemory.Free(Data);
        NativeMemory.Free(_addresses);
        NativeMemory.Free(Controls);
        NativeMemory.Free(Vectors);
        NativeMemory.Free(Headers);
    }
}
