namespace CoAP.Testing;

/// <summary>A peer that does what a script says, message by message, as a client or as a server. It sends what the script says, even if no real peer would.</summary>
/// <remarks>
/// Messages are written as in the figures of RFC 7252: <c>CON [0x7d34] GET /temperature (Token 0x20)</c>,
/// <c>ACK [0x7d34] 2.05 Content (Token 0x20) {Max-Age: 60} '22.5 C'</c>, <c>RST [0x7d34]</c>. A name instead of a number is a variable: the first
/// <see cref="Expect(string)"/> sets it, and later messages must have, or get, the same value. The peer shares no code with the library.
/// </remarks>
public sealed class ScriptedPeer : IDisposable
{
    private readonly ScriptStage _stage;
    private readonly InMemoryEndpoint _endpoint;
    private readonly Dictionary<string, string> _variables = [];
    private readonly Queue<(TimeSpan Time, InMemoryDatagram Datagram)> _received = new();
    private readonly List<byte[]> _taken = [];

    /// <summary>Opens a peer.</summary>
    /// <param name="network">The network.</param>
    /// <param name="name">The name of the peer: the host in URIs of clients.</param>
    /// <param name="partner">The endpoint under test. Default: the sender of the message that was expected last.</param>
    /// <exception cref="System.Net.Sockets.SocketException">The name is in use.</exception>
    public ScriptedPeer(SimulatedNetwork network, string name, string? partner = null)
    {
        ArgumentNullException.ThrowIfNull(network);
        _stage = network.Stage;
        _endpoint = network.InMemoryNetwork.Open(name, OnReceived);
        network.AddName(name);
        if (partner is not null) { Partner = PeerIdentity.From(partner); }
    }

    /// <summary>Opens a peer on another network in simulated time.</summary>
    /// <param name="stage">The clock, and how to run the network.</param>
    /// <param name="open">Opens the endpoint of the peer, which calls the argument with each datagram.</param>
    /// <param name="partner">The endpoint under test.</param>
    internal ScriptedPeer(ScriptStage stage, Func<Action<InMemoryDatagram>, InMemoryEndpoint> open, PeerIdentity partner) =>
        (_stage, _endpoint, Partner) = (stage, open(OnReceived), partner);

    /// <summary>The name of the peer.</summary>
    public string Name => Self.ToString();

    /// <summary>The bytes of the message that was expected last. Empty before the first one.</summary>
    public ReadOnlyMemory<byte> Last { get; private set; }

    internal PeerIdentity Self => _endpoint.Identity;

    /// <summary>The receiver of the next message: the sender of the message that was expected or taken last, or the endpoint that was set.</summary>
    internal PeerIdentity Partner { get; set; }

    /// <summary>All datagrams that <see cref="TakeAll"/> has taken.</summary>
    internal IReadOnlyList<byte[]> Taken => _taken;

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
        if (Partner.IsNone)
        {
            throw new InvalidOperationException($"'{Name}' has no partner. Pass one to the constructor, or expect a message first.");
        }
        _endpoint.Send(Partner, datagram);
    }

    /// <summary>Runs the network until a message arrives, and checks the message.</summary>
    /// <param name="message">The message in the notation of the figures. The payload <c>'*'</c> stands for any payload.</param>
    /// <exception cref="ScriptException">Another message has arrived, or none.</exception>
    /// <exception cref="FormatException">The message is not written in that notation.</exception>
    public void Expect(string message) => Expect(message, at: null);

    /// <summary>Runs the network until a message arrives, and checks the message and its time of arrival.</summary>
    /// <param name="message">The message in the notation of the figures. The payload <c>'*'</c> stands for any payload.</param>
    /// <param name="at">The expected time of arrival, since the beginning; <see langword="null"/> for any time.</param>
    /// <exception cref="ScriptException">Another message has arrived, or none, or it has arrived at another time.</exception>
    /// <exception cref="FormatException">The message is not written in that notation.</exception>
    public void Expect(string message, TimeSpan? at)
    {
        var (time, bytes) = Take(message);
        WireMessage actual;
        try { actual = WireMessage.Read(bytes); }
        catch (Exception exception) when (exception is FormatException or IndexOutOfRangeException or ArgumentOutOfRangeException)
        {
            throw Failure(message, MessageText.OfDatagram(bytes));
        }
        var (found, wanted) = (MessageNotation.Describe(actual), MessageNotation.Describe(MessageNotation.Parse(message, _variables, actual)));
        if (found != wanted) { throw Failure(wanted, found); }
        if (at is { } due && time != due) { throw Failure($"{wanted} at {due.TotalSeconds} s", $"it at {time.TotalSeconds} s"); }
    }

    /// <summary>Runs the network until a datagram arrives, which must have these bytes.</summary>
    /// <param name="datagram">The bytes.</param>
    /// <exception cref="ScriptException">Other bytes have arrived, or none.</exception>
    public void ExpectBytes(ReadOnlySpan<byte> datagram)
    {
        var wanted = Convert.ToHexStringLower(datagram);
        var (_, bytes) = Take(wanted);
        if (!datagram.SequenceEqual(bytes)) { throw Failure(wanted, Convert.ToHexStringLower(bytes)); }
    }

    /// <summary>Runs the network for a simulated time, in which nothing may arrive.</summary>
    /// <param name="time">The time.</param>
    /// <exception cref="ScriptException">A datagram has arrived.</exception>
    public void ExpectNothing(TimeSpan time)
    {
        _stage.RunFor(time);
        if (_received.TryPeek(out var unexpected))
        {
            throw Failure("nothing", $"{MessageText.OfDatagram(unexpected.Datagram.Bytes.Span)} at {unexpected.Time.TotalSeconds} s");
        }
    }

    /// <summary>Runs the network for a simulated time and returns the datagrams that have arrived and were not expected.</summary>
    /// <param name="time">The time. With <see cref="TimeSpan.Zero"/>, only what arrives without waiting is returned.</param>
    public IReadOnlyList<ReadOnlyMemory<byte>> TakeAll(TimeSpan time)
    {
        _stage.RunFor(time);
        var before = _taken.Count;
        while (_received.TryDequeue(out var next))
        {
            Partner = next.Datagram.From;
            _taken.Add(next.Datagram.Bytes.ToArray());
        }
        return [.. _taken.Skip(before)];
    }

    /// <summary>Closes the peer.</summary>
    public void Dispose() => _endpoint.Dispose();

    private void OnReceived(InMemoryDatagram datagram) => _received.Enqueue((_stage.Clock.Elapsed, datagram));

    private (TimeSpan Time, byte[] Bytes) Take(string expected)
    {
        if (!_stage.TryRunUntil(() => _received.Count > 0)) { throw Failure(expected, "nothing"); }
        var (time, datagram) = _received.Dequeue();
        Partner = datagram.From;
        Last = datagram.Bytes;
        return (time, datagram.Bytes.ToArray());
    }

    private ScriptException Failure(string expected, string found) => new(
        $"'{Name}' expected {expected}\nbut received {found}\nat {_stage.Clock.Elapsed.TotalSeconds} s.\nThe datagrams so far:\n{_stage.Transcript()}");
}
