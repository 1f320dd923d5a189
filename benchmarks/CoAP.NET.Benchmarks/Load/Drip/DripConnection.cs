using System.Buffers.Binary;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>One message on its way to a server, a byte at each call.</summary>
internal sealed class DripConnection : IDisposable
{
    private const int UriPaths = 100;

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[] _message;
    private int _sent;

    public DripConnection(IPEndPoint server, int number, int payload)
    {
        Span<byte> token = stackalloc byte[8];
        BinaryPrimitives.WriteInt64BigEndian(token, 0x0c0a_0000_0000_0000 + number);
        Token = new Token(token);
        _message = MessageOf(Token, payload);
        _socket.Connect(server);
        _socket.Send(StreamFrame.Csm);
        _socket.Receive(new byte[256]);
    }

    public Token Token { get; }

    public int Length => _message.Length;

    public bool IsSent => _sent == _message.Length;

    public long FirstByteAt { get; private set; }

    public long LastByteAt { get; private set; }

    public void SendByte()
    {
        if (IsSent) { return; }
        LastByteAt = Clock.Now;
        if (_sent == 0) { FirstByteAt = LastByteAt; }
        _socket.Send(_message.AsSpan(_sent++, 1));
    }

    public void Dispose() => _socket.Dispose();

    // The case study's message as a request, in the form of RFC 8323.
    private static byte[] MessageOf(Token token, int payload) => CoapMessageSerializer.Stream.Serialize(new CoapMessage
    {
        Code = RequestCode.Post,
        Token = token,
        Options = [.. Enumerable.Range(0, UriPaths).Select(static index => new UriPath($"{index}"))],
        Payload = new byte[payload],
    });
}
