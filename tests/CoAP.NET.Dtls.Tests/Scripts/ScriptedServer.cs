using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.Tests.Dtls.Handshakes;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Dtls.Scripts;

/// <summary>A server that shakes hands with a client under test, and then does what a test says, record by record.</summary>
internal sealed class ScriptedServer : IWireEnd, IDatagramReceiver, IDisposable
{
    private readonly Wire _wire;
    private readonly IDatagramTransport _transport;
    private readonly OpenSslCipher _cipher = new();
    private readonly ServerEnd _end;
    private PeerIdentity _client;

    /// <param name="wire">The network.</param>
    /// <param name="key">The key of the client.</param>
    public ScriptedServer(Wire wire, PreSharedKey key)
    {
        (_wire, _transport) = (wire, wire.Network.OpenDatagrams(wire.Server));
        _end = new ServerEnd(_cipher, SslContext.ForPreSharedKeys(isServer: true, "PSK-AES128-CCM8"), usesIds: true, new HandshakeSettings())
        {
            Received = content => Messages.Add(WireMessage.Read(content)),
        };
        _end.Keys.Add(key.Identity, key.CopyKey());
        wire.Attach(this);
    }

    public TimeSpan? NextDeadline => null;

    /// <summary>The CoAP messages of the client.</summary>
    public List<WireMessage> Messages { get; } = [];

    /// <summary>The alerts of the client, in the session.</summary>
    public IReadOnlyList<byte[]> Alerts => _end.Alerts;

    /// <summary>The handshake messages of the client, in the session.</summary>
    public IReadOnlyList<byte[]> HandshakeMessages => _end.Messages;

    /// <summary>Sends a record of the session.</summary>
    public void Send(ContentType type, byte[] content)
    {
        var session = _end.Machine!.Session!;
        var record = new byte[session.LengthOf(content.Length)];
        session.Seal(_cipher, type, content, record);
        Send(record);
    }

    /// <summary>Sends a CoAP message in the notation of the figures.</summary>
    public void Send(string message) => Send(ContentType.ApplicationData, ScriptedDevice.Message(message));

    public bool Run() => _transport.Receive(this) > 0;

    public void Dispose()
    {
        _transport.Dispose();
        _end.Dispose();
        _cipher.Dispose();
    }

    void IDatagramReceiver.OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        _client = key.Peer;
        _end.OnDatagram(datagram.ToArray(), key.Peer, _wire.Time.Elapsed.Ticks, Send);
        while (_end.Machine?.TryNextDatagram(out var answer) == true) { Send(answer.ToArray()); }
    }

    void IDatagramReceiver.OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, System.Net.Sockets.SocketError error)
    {
    }

    private void Send(byte[] datagram) => _transport.Send(new ChannelKey(_client, _wire.Server), datagram);
}
