using System.Net;
using System.Text;
using CoAP.Datagrams;
using CoAP.Mesh;
using CoAP.Transports;

namespace CoAP.Tests.Mesh;

/// <summary>A lane that the test pumps: its transport makes GET requests of many peers, each with a message ID of its own, and counts the answers.</summary>
internal sealed class RequestFeed : IDatagramTransport
{
    private const int Batch = 32;
    private const int PiggybackedContent = 0x6445;  // version 1, ACK, a token of 4 bytes, code 2.05

    private readonly CancellationTokenSource _stopping = new();
    private readonly byte[] _request;
    private readonly ChannelKey[] _peers;
    private readonly DatagramLane _lane;
    private readonly EndpointParts _parts;
    private long _sent;

    public RequestFeed(int peers, CoapServerSettings settings, string path, CoapResponse? response)
    {
        _request = [0x44, 0x01, 0, 0, 1, 2, 3, 4, (byte)(0xB0 | path.Length), .. Encoding.ASCII.GetBytes(path)];
        var local = PeerIdentity.FromIPv4(0x7F00_0001, 5683);
        _peers = [.. Enumerable.Range(0, peers).Select(peer => new ChannelKey(PeerIdentity.FromIPv4(0x0A00_0000 | (uint)peer, 40_000), local))];
        var resources = new ResourceMap();
        resources.At(path).Get((_, _) => new(response ?? Response.Content("Hello, CoAP!")));
        _parts = new EndpointParts(settings, resources, [], _stopping.Token);
        _lane = LaneMesh.Over(this, _parts, out _);
    }

    public IReadOnlyList<IPEndPoint> LocalEndPoints { get; } = [new IPEndPoint(IPAddress.Loopback, 5683)];

    public TransportCounters Counters { get; } = new();

    /// <summary>The piggybacked 2.05 that the lane has sent; nothing else counts.</summary>
    public long Answers { get; private set; }

    /// <summary>Pumps the lane until so many requests more are answered.</summary>
    public void Pump(int requests)
    {
        for (var end = _sent + requests; _sent < end;) { _lane.Turn(); }
    }

    public int Receive(IDatagramReceiver receiver)
    {
        for (var i = 0; i < Batch; i++, _sent++)
        {
            var messageId = _sent / _peers.Length;
            (_request[2], _request[3], _request[4]) = ((byte)(messageId >> 8), (byte)messageId, (byte)(messageId >> 16));
            receiver.OnDatagram(_peers[_sent % _peers.Length], _request);
        }
        return Batch;
    }

    public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        if (((datagram[0] << 8) | datagram[1]) == PiggybackedContent) { Answers++; }
        return true;
    }

    public void Flush()
    {
    }

    public void Wait(TimeSpan timeout)
    {
    }

    public ValueTask WaitAsync() => default;

    public void Wake()
    {
    }

    /// <summary>The end comes from the lane as well.</summary>
    public void Dispose()
    {
    }

    public void End()
    {
        _lane.End();
        _parts.Pipeline.Complete();
        _parts.Ledger.Dispose();
        _stopping.Dispose();
    }
}
