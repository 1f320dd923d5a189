using System.Net;
using CoAP.Datagrams;
using CoAP.Mesh;
using CoAP.Transports;

namespace CoAP.Tests.Observing;

/// <summary>A lane that the test pumps, and a multitude of clients that have registered for one resource.</summary>
internal sealed class ObserverCrowd : IDatagramTransport
{
    private const int Batch = 64;

    private readonly CancellationTokenSource _stopping = new();
    private readonly ManualClock _time = new();
    private readonly ChannelKey[] _clients;
    private readonly DatagramLane _lane;
    private readonly EndpointParts _parts;
    private readonly HashSet<(object?, int)> _payloads = [];
    private readonly HashSet<(object?, int)> _regions = [];
    private readonly Queue<(ChannelKey Key, byte High, byte Low)> _toAcknowledge = new();
    private int _registered;
    private int _inTurn;

    public ObserverCrowd(int size)
    {
        var local = PeerIdentity.FromIPv4(0x7F00_0001, 5683);
        _clients = [.. Enumerable.Range(0, size).Select(client => new ChannelKey(PeerIdentity.FromIPv4(0x0A00_0000 | (uint)client, 40_000), local))];
        var settings = new CoapServerSettings
        {
            TimeProvider = _time,
            Amplification = new() { IsLimited = false },
            Links = [MeshLink.Filter(MeshArrow.MessagesOut, Note)],
            Deduplication = new() { Capacity = 4096, AnswerBufferSize = 262_144 },
        };
        var resources = new ResourceMap();
        Resource = resources.At("r").Observable().Get((_, _) =>
        {
            Calls++;
            return new(Response.Content($"state {Calls}"));
        });
        _parts = new EndpointParts(settings, resources, [], _stopping.Token);
        _lane = LaneMesh.Over(this, _parts, out _);
        PumpUntilQuiet();
        Resource.ObserverCount.Should().Be(size);
    }

    public Resource Resource { get; }

    public int Calls { get; private set; }

    public int Turns { get; private set; }

    public int MostInOneTurn { get; private set; }

    public Dictionary<PeerIdentity, int> Notified { get; } = [];

    public IReadOnlyCollection<(object?, int)> Payloads => _payloads;

    public IReadOnlyCollection<(object?, int)> OptionRegions => _regions;

    public IReadOnlyList<IPEndPoint> LocalEndPoints { get; } = [new IPEndPoint(IPAddress.Loopback, 5683)];

    public TransportCounters Counters { get; } = new();

    public void PumpUntilQuiet()
    {
        for (var isBusy = true; isBusy; Turns++)
        {
            _inTurn = 0;
            isBusy = _lane.Turn() || _lane.HasInboxWork;
            MostInOneTurn = Math.Max(MostInOneTurn, _inTurn);
        }
    }

    public int Receive(IDatagramReceiver receiver)
    {
        var count = 0;
        for (; count < Batch && _registered < _clients.Length; count++, _registered++)
        {
            // CON, GET, token 01, Observe 0, Uri-Path "r"
            receiver.OnDatagram(_clients[_registered], [0x41, 0x01, 0x00, 0x01, 0x01, 0x60, 0x51, 0x72]);
        }
        for (; count < Batch && _toAcknowledge.TryDequeue(out var one); count++) { receiver.OnDatagram(one.Key, [0x60, 0x00, one.High, one.Low]); }
        return count;
    }

    public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        if (datagram[0] >> 4 == 4)      // a CON: the registrations are answered in acknowledgements
        {
            Notified[key.Peer] = Notified.GetValueOrDefault(key.Peer) + 1;
            _inTurn++;
            _toAcknowledge.Enqueue((key, datagram[2], datagram[3]));
        }
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

    public void Dispose()
    {
        if (_lane.HasEnded) { return; }
        _lane.End();
        _parts.Pipeline.Complete();
        _parts.Ledger.Dispose();
        _stopping.Dispose();
    }

    private bool Note(OutgoingMessage item)
    {
        if (item.Message.Type != MessageType.Confirmable) { return true; }
        _payloads.Add(Identity(item.Message.Payload));
        _regions.Add(Identity(item.Message.Options.Wire));
        return true;
    }

    private static (object?, int) Identity(ReadOnlyMemory<byte> memory) =>
        System.Runtime.InteropServices.MemoryMarshal.TryGetArray(memory, out var segment) ? (segment.Array, segment.Offset) : (null, memory.Length);
}
