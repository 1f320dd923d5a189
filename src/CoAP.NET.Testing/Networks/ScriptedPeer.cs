namespace CoAP.Testing;

/// <summary>A peer that does what a script says, message by message, as a client or as a server. It sends what the script says, even if no real peer would.</summary>
/// <remarks>
/// Messages are written as in the figures of RFC 7252: <c>CON [0x7d34] GET /temperature (Token 0x20)</c>,
/// <c>ACK [0x7d34] 2.05 Content (Token 0x20) {Max-Age: 60} '22.5 C'</c>, <c>RST [0x7d34]</c>. A name instead of a number is a variable: the first
/// <see cref="Expect"/> sets it, and later messages must have, or get, the same value. The peer shares no code with the library.
/// </remarks>
public sealed class ScriptedPeer : IDisposable
{
    private readonly SimulatedNetwork _network;
    private readonly InMemoryEndpoint _endpoint;
    private readonly Dictionary<string, string> _variables = [];
    private readonly Queue<InMemoryDatagram> _received = new();
    private PeerIdentity _partner;

    /// <summary>Opens a peer.</summary>
    /// <param name="network">The network.</param>
    /// <param name="name">The name of the peer: the host in URIs of clients.</param>
    /// <param name="partner">The endpoint under test. Default: the sender of the message that was expected last.</param>
    /// <exception cref="System.Net.Sockets.SocketException">The name is in use.</exception>
    public ScriptedPeer(SimulatedNetwork network, string name, string? partner = null)
    {
        ArgumentNullException.ThrowIfNull(network);
        _network = network;
        _endpoint = network.InMemoryNetwork.Open(name, _received.Enqueue);
        network.AddName(name);
        if (partner is not null) { _partner = PeerIdentity.From(partner); }
    }

    /// <summary>The name of the peer.</summary>
    public string Name => _endpoint.Identity.ToString();

    /// <summary>The bytes of the message that was expected last. Empty before the first one.</summary>
    public ReadOnlyMemory<byte> Last { get; private set; }

    /// <summary>Sends a message.</summary>
    /// <param name="message">The message in the notation of the figures.</param>
    /// <exception cref="FormatException">The message is not written in that notation.</exception>
    /// <exception cref="InvalidOperationException">A variable has no value, or nobody has sent a message to this peer and it has no partner.</exception>
    public void Send(string message) => SendBytes(MessageNotation.Parse(message, _variables).ToBytes());

    /// <summary>Sends any bytes.</summary>
    /// <param name="datagram">The bytes.</param>
    /// <exception cref="InvalidOperationException">Nobody has sent a message to this peer, and it has no partner.</exception>
    public void SendBytes(ReadOnlySpan<byte> datagram)
    {
        if (_partner.IsNone)
        {
            throw new InvalidOperationException($"'{Name}' has no partner. Pass one to the constructor, or expect a message first.");
        }
        _endpoint.Send(_partner, datagram);
    }

    /// <summary>Runs the network until a message arrives, which must be this one.</summary>
    /// <param name="message">The message in the notation of the figures. The payload <c>'*'</c> stands for any payload.</param>
    /// <exception cref="ScriptException">Another message has arrived, or none.</exception>
    /// <exception cref="FormatException">The message is not written in that notation.</exception>
    public void Expect(string message)
    {
        var bytes = Take(message);
        WireMessage actual;
        try { actual = WireMessage.Read(bytes); }
        catch (Exception exception) when (exception is FormatException or IndexOutOfRangeException or ArgumentOutOfRangeException)
        {
            throw Failure(message, MessageText.OfDatagram(bytes));
        }
        var (found, wanted) = (MessageNotation.Describe(actual), MessageNotation.Describe(MessageNotation.Parse(message, _variables, actual)));
        if (found != wanted) { throw Failure(wanted, found); }
    }

    /// <summary>Runs the network until a datagram arrives, which must have these bytes.</summary>
    /// <param name="datagram">The bytes.</param>
    /// <exception cref="ScriptException">Other bytes have arrived, or none.</exception>
    public void ExpectBytes(ReadOnlySpan<byte> datagram)
    {
        var wanted = Convert.ToHexStringLower(datagram);
        var bytes = Take(wanted);
        if (!datagram.SequenceEqual(bytes)) { throw Failure(wanted, Convert.ToHexStringLower(bytes)); }
    }

    /// <summary>Runs the network for a simulated time, in which nothing may arrive.</summary>
    /// <param name="time">The time.</param>
    /// <exception cref="ScriptException">A datagram has arrived.</exception>
    public void ExpectNothing(TimeSpan time)
    {
        _network.RunFor(time);
        if (_received.TryPeek(out var unexpected)) { throw Failure("nothing", MessageText.OfDatagram(unexpected.Bytes.Span)); }
    }

    /// <summary>Closes the peer.</summary>
    public void Dispose() => _endpoint.Dispose();

    private byte[] Take(string expected)
    {
        try { _network.RunUntil(() => _received.Count > 0); }
        catch (TimeoutException) { throw Failure(expected, "nothing"); }
        var datagram = _received.Dequeue();
        _partner = datagram.From;
        Last = datagram.Bytes;
        return datagram.Bytes.ToArray();
    }

    private ScriptException Failure(string expected, string found) => new(
        $"'{Name}' expected {expected}\nbut received {found}\nat {_network.Clock.Elapsed.TotalSeconds} s.\nThe datagrams so far:\n{_network.Transcript}");
}
