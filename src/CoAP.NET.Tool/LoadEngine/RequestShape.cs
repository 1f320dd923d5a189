using System.Buffers.Binary;
using CoAP.Serialization;

namespace CoAP.Tool.LoadEngine;

/// <summary>The bytes that all requests of a load share. Only the message ID and the token differ.</summary>
internal sealed class RequestShape
{
    /// <summary>The length of every token in bytes.</summary>
    public const int TokenLength = 8;

    private const int MessageIdOffset = 2, DatagramHeader = 4;

    /// <summary>Creates the shape of a request over UDP.</summary>
    /// <param name="request">The request with <see cref="AnyToken"/>.</param>
    public RequestShape(CoapMessage request)
        : this(CoapMessageSerializer.Datagram.Serialize(request), DatagramHeader, isDatagram: true)
    {
    }

    /// <summary>Creates the shape of a request from its bytes.</summary>
    /// <param name="bytes">The request with a token of <see cref="TokenLength"/> bytes.</param>
    /// <param name="tokenOffset">The place of the token.</param>
    /// <param name="isDatagram">Whether the request has a message ID.</param>
    public RequestShape(byte[] bytes, int tokenOffset, bool isDatagram) => (Bytes, TokenOffset, IsDatagram) = (bytes, tokenOffset, isDatagram);

    /// <summary>A token of the length that each request has.</summary>
    public static Token AnyToken { get; } = new(new byte[TokenLength]);

    public bool IsDatagram { get; }

    /// <summary>The place of the token.</summary>
    public int TokenOffset { get; }

    public byte[] Bytes { get; }

    /// <summary>Writes a message ID, unless the request is a frame, and a token.</summary>
    public void Number(Span<byte> request, ushort messageId, ulong token)
    {
        if (IsDatagram) { BinaryPrimitives.WriteUInt16BigEndian(request[MessageIdOffset..], messageId); }
        BinaryPrimitives.WriteUInt64BigEndian(request[TokenOffset..], token);
    }
}
