using System.Buffers.Binary;

namespace CoAP.Benchmarks.Load;

/// <summary>One port of an address that proves itself to the server and then sends the same request again and again.</summary>
internal sealed class VerifiedSource : IDisposable
{
    private const int PatienceMilliseconds = 200, Largest = 2048;

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = PatienceMilliseconds };
    private readonly byte[] _answer = new byte[Largest];
    private byte[] _datagram = [];
    private int _number = Random.Shared.Next();

    public VerifiedSource(int port, int address)
    {
        _socket.Bind(new IPEndPoint(AttackNetwork.Verified(address), 0));
        _socket.Connect(IPAddress.Loopback, port);
    }

    /// <summary>Whether the server asked for a proof and got it.</summary>
    public bool IsVerified { get; private set; }

    /// <summary>Gets an Echo value by a request with a large response, returns it (RFC 9175, section 2.3), and adds it to the request.</summary>
    public void Prepare(CoapMessage request)
    {
        var echo = Ask(AttackRequests.Large);
        _datagram = AttackRequests.Large.With(echo).ToDatagram();
        Send();
        _datagram = request.With(echo).ToDatagram();
        IsVerified = echo is not null;
        _socket.Blocking = false;
    }

    /// <summary>Sends the request once. Answers are not read.</summary>
    public void Send()
    {
        _number++;
        BinaryPrimitives.WriteUInt16BigEndian(_datagram.AsSpan(2), (ushort)_number);
        BinaryPrimitives.WriteInt32BigEndian(_datagram.AsSpan(4), _number);
        _socket.Send(_datagram, SocketFlags.None, out _);
    }

    public void Dispose() => _socket.Dispose();

    private Echo? Ask(CoapMessage request)
    {
        _datagram = request.ToDatagram();
        Send();
        var length = _socket.Receive(_answer, SocketFlags.None, out var error);
        return error == SocketError.Success ? CoapMessageSerializer.Datagram.Deserialize(_answer.AsSpan(0, length)).Options.Get<Echo>() : null;
    }
}
