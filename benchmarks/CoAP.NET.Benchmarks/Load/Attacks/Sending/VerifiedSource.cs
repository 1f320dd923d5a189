namespace CoAP.Benchmarks.Load;

/// <summary>One port of an address that proves itself to the server and then sends the same request again and again.</summary>
internal sealed class VerifiedSource : IDisposable
{
    private const int PatienceMilliseconds = 200, Largest = 2048, StrayAnswers = 8;

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = PatienceMilliseconds };
    private readonly byte[] _answer = new byte[Largest];
    private readonly Numbering _numbering;
    private byte[] _datagram = [];
    private int _number = Random.Shared.Next();

    public VerifiedSource(int port, int address, Numbering? numbering = null)
    {
        _numbering = numbering ?? Numberings.Tokens;
        _socket.Bind(new IPEndPoint(AttackNetwork.Verified(address), 0));
        _socket.Connect(IPAddress.Loopback, port);
    }

    /// <summary>Whether the server asked for a proof and got it.</summary>
    public bool IsVerified { get; private set; }

    /// <summary>Gets an Echo value by a request with a large response, returns it (RFC 9175, section 2.3), and adds it to the request.</summary>
    public void Prepare(CoapMessage request)
    {
        _datagram = AttackRequests.Large.ToDatagram();
        SendNumbered(Numberings.Tokens);
        var echo = Receive()?.Options.Get<Echo>();
        _datagram = AttackRequests.Hello.With(echo).ToDatagram();    // the server keeps a large response for a while
        SendNumbered(Numberings.Tokens);
        _datagram = request.With(echo).ToDatagram();
        IsVerified = echo is not null;
        _socket.Blocking = false;
    }

    /// <summary>Sends the request once. Answers are not read.</summary>
    public void Send() => SendNumbered(_numbering);

    /// <summary>Sends another datagram. Answers are not read.</summary>
    public void Send(ReadOnlySpan<byte> datagram) => _socket.Send(datagram, SocketFlags.None, out _);

    /// <summary>Sends the request, as a new one or as the same datagram again, and returns the payload of its answer; <c>null</c> if none comes.</summary>
    public byte[]? Ask(bool again)
    {
        _socket.Blocking = true;
        if (again) { Send(_datagram); }
        else { Send(); }
        var token = CoapMessageSerializer.Datagram.Deserialize(_datagram).Token;
        for (var answer = 0; answer < StrayAnswers; answer++)
        {
            if (Receive() is not { } message) { return null; }
            if (message.Token == token) { return message.Payload.ToArray(); }
        }
        return null;
    }

    public void Dispose() => _socket.Dispose();

    private void SendNumbered(Numbering numbering)
    {
        numbering(_datagram, ++_number);
        Send(_datagram);
    }

    private CoapMessage? Receive()
    {
        var length = _socket.Receive(_answer, SocketFlags.None, out var error);
        return error == SocketError.Success ? CoapMessageSerializer.Datagram.Deserialize(_answer.AsSpan(0, length)) : null;
    }
}
