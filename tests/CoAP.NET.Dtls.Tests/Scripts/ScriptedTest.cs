using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Scripts;

/// <summary>A server under test and scripted devices, in simulated time. A datagram takes 20 ms.</summary>
public abstract class ScriptedTest : IDisposable
{
    internal const ulong Cookie = 0x0102030405060708;

    private readonly List<IDisposable> _ends = [];

    internal Wire Wire { get; } = new(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(20) };

    /// <summary>The moves that the server reports.</summary>
    internal List<PeerMove> Moves { get; } = [];

    /// <summary>The identity of the device, once it has asked for /who.</summary>
    internal PeerIdentity Peer { get; private set; }

    internal LaneEnd Server { get; private set; } = null!;

    /// <summary>The resource /state, which can be observed.</summary>
    internal Resource State { get; private set; } = null!;

    public void Dispose()
    {
        foreach (var end in _ends) { end.Dispose(); }
        GC.SuppressFinalize(this);
    }

    internal void Serve(Func<DtlsServerSettings, DtlsServerSettings>? adapt = null, LedgerSettings? ledger = null)
    {
        var settings = new DtlsServerSettings { PreSharedKeys = PskStore.From(ScriptedDevice.Key), ComputesOnLane = true, OnPeerMoved = Moves.Add };
        Server = LaneEnd.Server(
            Wire,
            map =>
            {
                map.At("who").Get((request, _) =>
                {
                    Peer = request.Peer;
                    return new(Response.Content(request.Credentials!.PreSharedKeyIdentity!));
                });
                State = map.At("state").Get(static (_, _) => new(Response.Content("on"))).Observable();
                map.At("large").Get(static (_, _) => new(Response.Content(new byte[3000], 42)));
            },
            new CoapServerSettings { Dtls = adapt?.Invoke(settings) ?? settings, Ledger = ledger ?? new() });
        _ends.Add(Server);
    }

    /// <summary>Begins a session and asks for /who from home.</summary>
    internal ScriptedDevice Begin(int? idLength = 0, bool hasCheck = true, byte maxFragment = 0, byte[]? earlier = null)
    {
        var device = Add(new ScriptedDevice(Wire, idLength, hasCheck, maxFragment, earlier));
        device.ShakeHands();
        device.Failure.Should().BeNull();
        ExpectAlive(device);
        device.Forget();
        return device;
    }

    internal ScriptedDevice Add(ScriptedDevice device)
    {
        _ends.Add(device);
        return device;
    }

    /// <summary>The server answers the device at its address.</summary>
    internal void ExpectAlive(ScriptedDevice device, string at = ScriptedDevice.Home)
    {
        device.Forget();
        var id = ++_id;
        device.Send(at, $"CON [0x{id:x4}] GET /who (Token 0x71)");
        device.RunFor(0.1);
        device.MessagesAt(at).Should().ContainSingle().Which.Should().Match<WireMessage>(message => message.Id == id && message.Code == 0x45);
    }

    private int _id = 0x7000;
}
