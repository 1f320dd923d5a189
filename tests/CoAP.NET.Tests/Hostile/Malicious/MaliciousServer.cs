using CoAP.Options;
using CoAP.Serialization;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>A server on a wire that reacts to each request of the client as a delegate decides, at once or later.</summary>
/// <remarks>It does not react to acknowledgements and Resets: two ends that answer each other within one instant would not let time pass.</remarks>
internal sealed class MaliciousServer : IWireEnd, IDatagramReceiver, IDisposable
{
    private readonly Wire _wire;
    private readonly IDatagramTransport _transport;
    private readonly Action<MaliciousServer, CoapMessage> _react;
    private readonly PriorityQueue<Action, TimeSpan> _later = new();
    private PeerIdentity _client = PeerIdentity.From("client");
    private ushort _nextId = 0x4000;

    public MaliciousServer(Wire wire, Action<MaliciousServer, CoapMessage> react)
    {
        (_wire, _react) = (wire, react);
        _transport = wire.Network.OpenDatagrams(wire.Server);
        wire.Attach(this);
    }

    /// <summary>The number of requests that have arrived.</summary>
    public int Count { get; private set; }

    /// <summary>The last request that has arrived.</summary>
    public CoapMessage? Last { get; private set; }

    public TimeSpan? NextDeadline => _later.TryPeek(out _, out var at) ? at : null;

    public bool Run()
    {
        var hasWorked = _transport.Receive(this) > 0;
        while (_later.TryPeek(out _, out var at) && at <= _wire.Time.Elapsed)
        {
            _later.Dequeue()();
            hasWorked = true;
        }
        return hasWorked;
    }

    public void Dispose() => _transport.Dispose();

    /// <summary>Sends an empty message, such as an acknowledgement or a Reset.</summary>
    public void Empty(CoapMessage request, MessageType type) =>
        Send(CoapMessageSerializer.Datagram.Serialize(new CoapMessage(type, CoapCode.Empty, request.MessageId, default, [], default)));

    /// <summary>Sends a piggybacked response.</summary>
    public void Answer(CoapMessage request, CoapCode code, OptionSet options, int payload = 0, double after = 0) =>
        Later(after, new CoapMessage(MessageType.Acknowledgement, code, request.MessageId, request.Token, options, new byte[payload]));

    /// <summary>Sends a response in a message of its own.</summary>
    public void Separately(
        CoapMessage request, CoapCode code, OptionSet options, int payload = 0, double after = 0, MessageType type = MessageType.NonConfirmable) =>
        Later(after, new CoapMessage(type, code, new MessageId(_nextId++), request.Token, options, new byte[payload]));

    public void Later(double after, CoapMessage message) => Later(after, CoapMessageSerializer.Datagram.Serialize(message));

    public void Later(double after, byte[] bytes)
    {
        if (after == 0) { Send(bytes); }
        else { Do(after, () => Send(bytes)); }
    }

    /// <summary>Acts once, after so many seconds.</summary>
    public void Do(double after, Action action) => _later.Enqueue(action, _wire.Time.Elapsed + TimeSpan.FromSeconds(after));

    /// <summary>Acts again and again.</summary>
    public void Every(double seconds, Action action) => Do(seconds, () =>
    {
        action();
        Every(seconds, action);
    });

    public void Send(byte[] bytes) => _transport.Send(new ChannelKey(_client, _wire.Server), bytes);

    void IDatagramReceiver.OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        _client = key.Peer;
        var message = CoapMessageSerializer.Datagram.Deserialize(datagram.ToArray());
        if (!message.Code.IsRequest) { return; }
        Count++;
        Last = message;
        _react(this, message);
    }

    void IDatagramReceiver.OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, System.Net.Sockets.SocketError error)
    {
    }
}
