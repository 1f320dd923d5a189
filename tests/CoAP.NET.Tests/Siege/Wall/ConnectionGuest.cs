using System.Net;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>A peer with a connection (RFC 8323), within the process.</summary>
internal sealed class ConnectionGuest : Guest
{
    private static readonly byte[] Ping = Hex.Bytes("00 e2");

    private readonly RawPeer _peer;
    private readonly List<WireMessage> _received = [];

    private ConnectionGuest(RawPeer peer) => _peer = peer;

    /// <summary>Connects and exchanges CSMs.</summary>
    public static async Task<ConnectionGuest> ConnectAsync(InMemoryNetwork network, IPEndPoint address)
    {
        var peer = new RawPeer(network.Connect(PeerIdentity.From(address), PeerIdentity.From(StreamHost.Name)));
        peer.Send("00 e1");
        await peer.ReadAsync();
        return new ConnectionGuest(peer);
    }

    public override void Dispose() => _peer.Dispose();

    protected override Task SendAsync(WireMessage request) => _peer.SendAsync(FrameOf(request));

    // The server answers messages in their order, apart from those that wait for a handler. So what is there at once comes before the Pong.
    protected override async Task<WireMessage?> TakeAsync()
    {
        await _peer.SendAsync(Ping);
        while (await NextAsync() is { Code: not 0xE3 } message) { _received.Add(message); }
        return _received.LastOrDefault(IsAnswer);
    }

    protected override async Task<WireMessage> AwaitAsync()
    {
        while (true)
        {
            if (_received.LastOrDefault(IsAnswer) is { } response) { return response; }
            _received.Add(await NextAsync());
        }
    }

    private async Task<WireMessage> NextAsync() => MessageOf(Hex.Bytes(await _peer.ReadAsync() ?? throw new InvalidOperationException("The server has closed.")));

    // The options and the payload are the same as in a datagram (RFC 8323, section 3.2).
    private static byte[] FrameOf(WireMessage request)
    {
        var datagram = request.ToBytes();
        var rest = datagram.AsSpan(4 + request.Token.Length);
        var (nibble, more) = rest.Length switch
        {
            < 13 => (rest.Length, (byte[])[]),
            < 269 => (13, [(byte)(rest.Length - 13)]),
            _ => (14, [(byte)((rest.Length - 269) >> 8), (byte)(rest.Length - 269)]),
        };
        return [(byte)((nibble << 4) | request.Token.Length), .. more, (byte)request.Code, .. request.Token, .. rest];
    }

    private static WireMessage MessageOf(byte[] frame)
    {
        var code = 1 + (frame[0] >> 4) switch { 13 => 1, 14 => 2, 15 => 4, _ => 0 };
        return WireMessage.Read([(byte)(0x40 | (frame[0] & 15)), frame[code], 0, 0, .. frame.AsSpan(code + 1)]);
    }
}
