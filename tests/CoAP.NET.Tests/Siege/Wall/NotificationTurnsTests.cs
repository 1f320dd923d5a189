using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>A client with many representations does not delay the notifications of others.</summary>
public sealed class NotificationTurnsTests : IDisposable
{
    private const int Many = 2000;

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _greedy;
    private readonly ScriptedPeer _honest;
    private Resource _greedyResource = null!;
    private Resource _honestResource = null!;
    private int _calls;
    private int _lastId;

    public NotificationTurnsTests()
    {
        _server = LaneEnd.Server(_wire, Map);
        (_greedy, _honest) = (ScriptedPeer.Client(_wire, "greedy"), ScriptedPeer.Client(_wire, "honest"));
    }

    public void Dispose()
    {
        _honest.Dispose();
        _greedy.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void An_honest_observer_is_notified_at_once_while_another_client_waits_for_thousands_of_representations()
    {
        ObserveMany();
        Observe(_honest, "/honest");
        _calls = 0;

        _greedyResource.NotifyChanged();
        _honestResource.NotifyChanged();
        for (var turn = 0; turn < 3; turn++) { _server.Lane.Turn(); }

        _calls.Should().BeLessThan(Many / 2, "the other client still waits");
        SentTo(_honest).Should().Be(2, "the response to the registration and the notification");
    }

    [Fact]
    public void An_honest_observer_of_a_shared_representation_does_not_wait_for_the_other_representations_of_its_first_observer()
    {
        Observe(_greedy, "/honest");
        Observe(_honest, "/honest");
        ObserveMany();

        _greedyResource.NotifyChanged();
        _honestResource.NotifyChanged();
        for (var turn = 0; turn < 3; turn++) { _server.Lane.Turn(); }

        SentTo(_honest).Should().Be(2, "the response to the registration and the notification");
    }

    [Fact]
    public void An_honest_observer_does_not_wait_for_thousands_of_observers_of_the_same_representation()
    {
        for (var one = 0; one < Many; one++) { Observe(_greedy, "/honest"); }
        Observe(_honest, "/honest");
        var before = SentTo(_greedy);

        _honestResource.NotifyChanged();
        for (var turn = 0; turn < 3; turn++) { _server.Lane.Turn(); }

        (SentTo(_greedy) - before).Should().BeLessThan(Many / 2, "the other observers still wait");
        SentTo(_honest).Should().Be(2, "the response to the registration and the notification");
    }

    private void Map(ResourceMap map)
    {
        _greedyResource = map.At("greedy").Observable(confirmable: false).Get(
            _ =>
            {
                _calls++;
                return Response.Content("x");
            },
            HandlerMode.Inline);
        _honestResource = map.At("honest").Observable(confirmable: false).Get(static _ => Response.Content("y"), HandlerMode.Inline);
    }

    private int SentTo(ScriptedPeer peer) => _wire.Sent(Direction.ToClient).Count(sent => sent.To == peer.Self);

    private void ObserveMany()
    {
        for (var one = 0; one < Many; one++) { Observe(_greedy, $"/greedy?{one}"); }
    }

    private void Observe(ScriptedPeer peer, string path)
    {
        _lastId++;
        peer.Send($"NON [0x{_lastId:x4}] GET {path} (Token 0x{_lastId:x4}) {{Observe: 0}}");
        peer.TakeAll(seconds: 0);
    }
}
