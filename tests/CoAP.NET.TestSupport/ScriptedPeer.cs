using System.Net;
using CoAP.Transports;

namespace CoAP.TestSupport;

/// <summary>
/// A peer that does what a script says, message by message, in lockstep with the endpoint under test. Messages are written as in the figures
/// of RFC 7252 (see <see cref="Notation"/>); what the endpoint chooses by chance is captured by a variable and used from then on.
/// </summary>
internal sealed class ScriptedPeer : IWireEnd, IDatagramReceiver, IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(10);

    private readonly Wire _wire;
    private readonly IDatagramTransport _transport;
    private readonly Dictionary<string, string> _variables = [];
    private readonly Queue<(TimeSpan At, PeerIdentity From, byte[] Bytes)> _received = new();
    private readonly List<byte[]> _taken = [];
    private PeerIdentity _partner;

    private ScriptedPeer(Wire wire, PeerIdentity self, PeerIdentity partner, PeerIdentity[]? groups = null)
    {
        (_wire, Self, _partner) = (wire, self, partner);
        _transport = wire.Network.OpenDatagrams(self, groups);
        wire.Attach(this);
    }

    public PeerIdentity Self { get; }

    public TimeSpan? NextDeadline => null;

    /// <summary>The bytes of the message that was expected last.</summary>
    public byte[] Last { get; private set; } = [];

    /// <summary>What <see cref="TakeAll"/> took.</summary>
    public IReadOnlyList<byte[]> Received => _taken;

    /// <summary>A client of the endpoint under test.</summary>
    public static ScriptedPeer Client(Wire wire, string name = "client") => new(wire, PeerIdentity.From(name), wire.Server);

    /// <summary>A client of the endpoint under test with an address instead of a name.</summary>
    public static ScriptedPeer Client(Wire wire, IPEndPoint address) => new(wire, PeerIdentity.From(address), wire.Server);

    /// <summary>A server that answers whoever sent it the last message.</summary>
    public static ScriptedPeer Server(Wire wire, string? name = null) =>
        new(wire, name is null ? wire.Server : PeerIdentity.From(name), PeerIdentity.From("client"));

    /// <summary>A client of all members of a group.</summary>
    public static ScriptedPeer ClientOf(Wire wire, string group, string name = "client") => new(wire, PeerIdentity.From(name), PeerIdentity.From(group));

    /// <summary>A server that is a member of a group.</summary>
    public static ScriptedPeer Member(Wire wire, string name, string group) =>
        new(wire, PeerIdentity.From(name), PeerIdentity.From("client"), [PeerIdentity.From(group)]);

    /// <summary>Who sent the message that was expected last.</summary>
    public PeerIdentity Partner => _partner;

    /// <summary>Sends what follows to somebody else.</summary>
    public void TalkTo(string name) => _partner = PeerIdentity.From(name);

    /// <summary>Sends a message in the notation of the figures.</summary>
    public void Send(string message) => Send(Notation.Parse(message, _variables).ToBytes());

    /// <summary>Sends bytes, hexadecimal with remarks.</summary>
    public void SendBytes(string hex) => Send(Hex.Bytes(hex));

    /// <summary>Sends bytes as they are.</summary>
    public void Send(byte[] bytes) => _transport.Send(new ChannelKey(_partner, Self), bytes);

    /// <summary>Runs the wire until the next message is here, which has to be this one.</summary>
    /// <param name="message">In the notation of the figures; <c>'*'</c> stands for any payload.</param>
    /// <param name="at">When it has to arrive, in simulated seconds since the beginning, where that matters.</param>
    public void Expect(string message, double? at = null)
    {
        var arrived = Take(message);
        var actual = WireMessage.Read(Last);
        var (found, wanted) = (Notation.Describe(actual), Notation.Describe(Notation.Parse(message, _variables, actual)));
        if (found != wanted) { throw new ScriptException($"{Self} expected {wanted}\n but received {found}\n at {arrived.TotalSeconds} s."); }
        if (at is { } seconds && arrived != TimeSpan.FromSeconds(seconds))
        {
            throw new ScriptException($"{Self} received {found} at {arrived.TotalSeconds} s, not at {seconds} s.");
        }
    }

    /// <summary>The same for bytes, hexadecimal with remarks.</summary>
    public void ExpectBytes(string hex) => ExpectBytes(Hex.Bytes(hex));

    /// <summary>The same for bytes, such as those of <see cref="Last"/> once more.</summary>
    public void ExpectBytes(byte[] bytes)
    {
        Take(Hex.Text(bytes));
        if (!Last.AsSpan().SequenceEqual(bytes)) { throw new ScriptException($"{Self} expected {Hex.Text(bytes)}\n but received {Hex.Text(Last)}."); }
    }

    /// <summary>Runs the wire for a while, in which nothing may come.</summary>
    public void ExpectNothing(double seconds)
    {
        _wire.RunFor(TimeSpan.FromSeconds(seconds));
        if (_received.TryPeek(out var unexpected))
        {
            throw new ScriptException($"{Self} expected nothing\n but received {Notation.Describe(WireMessage.Read(unexpected.Bytes))}\n at {unexpected.At.TotalSeconds} s.");
        }
    }

    /// <summary>Runs the wire for a while and takes whatever comes, for a look at <see cref="Received"/>.</summary>
    public void TakeAll(double seconds)
    {
        _wire.RunFor(TimeSpan.FromSeconds(seconds));
        while (_received.TryDequeue(out var one))
        {
            _partner = one.From;
            _taken.Add(one.Bytes);
        }
    }

    public bool Run() => _transport.Receive(this) > 0;

    void IDatagramReceiver.OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram) =>
        _received.Enqueue((_wire.Time.Elapsed, key.Peer, datagram.ToArray()));

    void IDatagramReceiver.OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, System.Net.Sockets.SocketError error)
    {
    }

    public void Dispose() => _transport.Dispose();

    private TimeSpan Take(string expected)
    {
        if (!_wire.RunUntil(() => _received.Count > 0, Patience)) { throw new ScriptException($"{Self} expected {expected}\n but nothing came."); }
        (var at, _partner, Last) = _received.Dequeue();
        return at;
    }
}

/// <summary>The endpoint under test did something else than the script says.</summary>
public sealed class ScriptException(string message) : Exception(message);
