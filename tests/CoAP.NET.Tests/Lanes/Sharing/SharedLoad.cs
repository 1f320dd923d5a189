using System.Net;
using System.Net.Sockets;
using CoAP.Datagrams;
using CoAP.Transports;

namespace CoAP.Tests.Lanes;

/// <summary>A server with two datagram lanes on one port, and peers on so many ports that the system gives requests to both.</summary>
internal sealed class SharedLoad : IDisposable
{
    private const int Peers = 32;
    private const int Acknowledged = 0x60;

    private readonly CoapServer _server = new(new CoapServerSettings
    {
        Lanes = 2,
        TimeProvider = new StandingClock(),
        Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))],
    });

    private readonly List<UdpClient> _peers = [];
    private ushort _messageId;

    public SharedLoad()
    {
        _server.Resources.At("hello").Get(static _ => Response.Content("world"), HandlerMode.Inline);
        _server.Resources.At("{name}").Post(static request => Response.Content(request.PayloadText), HandlerMode.Inline);
        _server.Start();
        for (var i = 0; i < Peers; i++)
        {
            _peers.Add(new UdpClient(new IPEndPoint(IPAddress.Loopback, 0)) { Client = { ReceiveTimeout = 60_000 } });
            _peers[i].Connect(IPAddress.Loopback, _server.Endpoints[0].Address.Port);
        }
        Lanes = [.. _server.Lanes.OfType<DatagramLane>()];
    }

    public IReadOnlyList<DatagramLane> Lanes { get; }

    /// <summary>Each peer asks for everything; answers how many requests each lane has taken.</summary>
    public IReadOnlyList<long> Ask(int rounds)
    {
        var before = Received();
        for (var round = 0; round < rounds; round++)
        {
            foreach (var peer in _peers)
            {
                AskOnce(peer, 0x40, 0x01, [0xB5, .. "hello"u8], expected: 0x45);
                AskOnce(peer, 0x50, 0x01, [0xB5, .. "hello"u8], expected: 0x45);
                AskOnce(peer, 0x40, 0x02, [0xB4, .. "echo"u8, 0xFF, .. "body"u8], expected: 0x45);
                AskOnce(peer, 0x40, 0x01, [0xB7, .. "nothing"u8], expected: 0x85);
            }
        }
        return [.. Received().Zip(before, static (after, was) => after - was)];
    }

    public void Dispose()
    {
        _peers.ForEach(static peer => peer.Dispose());
        _server.Dispose();
    }

    private IEnumerable<long> Received() => [.. Lanes.Select(static lane => lane.Transport.Counters[TransportCounters.DatagramsReceived])];

    private void AskOnce(UdpClient peer, byte type, byte code, ReadOnlySpan<byte> rest, byte expected)
    {
        _messageId++;
        peer.Send([(byte)(type | 1), code, (byte)(_messageId >> 8), (byte)_messageId, 0x77, .. rest]);
        IPEndPoint? from = null;
        var answer = peer.Receive(ref from);
        answer[1].Should().Be(expected);
        (answer[0] & Acknowledged).Should().Be(type == 0x40 ? Acknowledged : 0x50 & Acknowledged);
    }

    // A call that a busy machine interrupts would count as slow, and a handler that is slow is called elsewhere.
    private sealed class StandingClock : TimeProvider
    {
        public override long GetTimestamp() => 0;
    }
}
