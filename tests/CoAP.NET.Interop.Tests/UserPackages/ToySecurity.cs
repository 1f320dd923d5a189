using System.Text;

namespace CoAP.Interop.Tests.UserPackages;

/// <summary>
/// A toy of a security layer, as a package of its own would write it: it shakes hands over the lane with a timer, protects what follows, and on the
/// server replaces the peer's address by its name. It is no security at all: the "cipher" is one byte.
/// </summary>
/// <remarks>
/// <code>
/// client                          server
///   | 16 name  (until answered)     |
///   +------------------------------>|
///   |                      16 key   |
///   |&lt;------------------------------+
///   | 17 protected CoAP             |
///   |&lt;-----------------------------&gt;|
/// </code>
/// </remarks>
internal sealed class ToySecurity
{
    private const byte Handshake = 0x16;
    private const byte Protected = 0x17;

    private readonly ILane _lane;
    private readonly string? _name;
    private readonly Dictionary<PeerIdentity, Session> _byAddress = [];
    private readonly Dictionary<PeerIdentity, Session> _byName = [];
    private readonly Output<Frame> _handshakes = new();
    private int _ignored;

    private ToySecurity(LaneBuilder lane, string? name, int ignoredHellos)
    {
        (_lane, _name, _ignored) = (lane.Lane, name, ignoredHellos);
        lane.Insert(MeshArrow.FramesIn, new Stage(OnReceived));
        lane.Insert(MeshArrow.FramesOut, new Stage(OnSending));
        lane.AddSource(MeshArrow.FramesOut, _handshakes);
    }

    /// <summary>The layer of a client that calls itself by a name.</summary>
    public static MeshLink Client(string name) => MeshLink.Stages(lane => _ = new ToySecurity(lane, name, 0));

    /// <summary>The layer of a server.</summary>
    /// <param name="ignoredHellos">The first messages of handshakes that are lost.</param>
    public static MeshLink Server(int ignoredHellos = 0) => MeshLink.Stages(lane => _ = new ToySecurity(lane, null, ignoredHellos));

    private void OnReceived(Frame frame, Output<Frame> output)
    {
        var bytes = frame.Bytes.Span;
        if (bytes.Length < 2) { return; }
        if (bytes[0] == Handshake && _name is null) { Accept(frame.Key, Encoding.UTF8.GetString(bytes[1..])); }
        else if (bytes[0] == Handshake) { Complete(frame.Key, bytes[1]); }
        else if (bytes[0] == Protected && _byAddress.TryGetValue(frame.Key.Peer, out var session))
        {
            var key = session.Name is { } name ? new ChannelKey(PeerIdentity.From(name), frame.Key.Local) : frame.Key;
            var credentials = session.Name is null ? null : new PeerCredentials { PreSharedKeyIdentity = session.Name };
            output.Emit(new Frame(key, Cipher(bytes[1..], session.Secret)) { Credentials = credentials });
        }
    }

    private void OnSending(Frame frame, Output<Frame> output)
    {
        if (!_byName.TryGetValue(frame.Key.Peer, out var session) && !_byAddress.TryGetValue(frame.Key.Peer, out session)) { session = Begin(frame.Key); }
        if (!session.IsEstablished)
        {
            session.Held.Enqueue(frame.Bytes.ToArray());
            return;
        }
        byte[] sealedBytes = [Protected, .. Cipher(frame.Bytes.Span, session.Secret)];
        output.Emit(new Frame(session.Key, sealedBytes));
    }

    private void Accept(in ChannelKey key, string name)
    {
        if (_ignored-- > 0) { return; }
        if (_byAddress.Remove(key.Peer, out var earlier)) { earlier.Charge?.Dispose(); }
        if (_lane.TryCharge(LedgerResource.Connections, _lane.AccountOf(key.Peer)) is not { } charge) { return; }
        var session = new Session(key) { Name = name, Secret = (byte)(name.Length + 1), IsEstablished = true, Charge = charge };
        (_byAddress[key.Peer], _byName[PeerIdentity.From(name)]) = (session, session);
        _handshakes.Emit(new Frame(key, new[] { Handshake, session.Secret }));
    }

    private Session Begin(in ChannelKey key)
    {
        var session = new Session(key);
        _byAddress[key.Peer] = session;
        session.Timer = _lane.CreateTimer(() => SendHello(session));
        SendHello(session);
        return session;
    }

    private void SendHello(Session session)
    {
        byte[] hello = [Handshake, .. Encoding.UTF8.GetBytes(_name!)];
        _handshakes.Emit(new Frame(session.Key, hello));
        session.Timer!.Start(TimeSpan.FromMilliseconds(20));
    }

    private void Complete(in ChannelKey key, byte secret)
    {
        if (!_byAddress.TryGetValue(key.Peer, out var session) || session.IsEstablished) { return; }
        session.Timer!.Stop();
        (session.Secret, session.IsEstablished) = (secret, true);
        while (session.Held.TryDequeue(out var held))
        {
            byte[] sealedBytes = [Protected, .. Cipher(held, secret)];
            _handshakes.Emit(new Frame(session.Key, sealedBytes));
        }
    }

    private static byte[] Cipher(ReadOnlySpan<byte> bytes, byte secret)
    {
        var result = bytes.ToArray();
        for (var i = 0; i < result.Length; i++) { result[i] ^= secret; }
        return result;
    }

    private sealed class Stage(Action<Frame, Output<Frame>> process) : InlineStage<Frame, Frame>
    {
        protected override void Process(in Frame item) => process(item, Out);
    }

    private sealed class Session(ChannelKey key)
    {
        public ChannelKey Key => key;

        public string? Name { get; init; }

        public byte Secret { get; set; }

        public bool IsEstablished { get; set; }

        public LedgerCharge? Charge { get; init; }

        public LaneTimer? Timer { get; set; }

        public Queue<byte[]> Held { get; } = new();
    }
}
