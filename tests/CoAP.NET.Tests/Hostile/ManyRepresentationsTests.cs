using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Observers each of which asks for a representation of its own, so that a change has the handler asked as often as they like.</summary>
public sealed class ManyRepresentationsTests : IDisposable
{
    private const int Peers = 8;
    private const int OfEach = 250;

    private readonly Wire _wire = new(new ManualClock());
    private readonly List<ScriptedPeer> _peers = [];
    private readonly LaneEnd _server;
    private Resource _resource = null!;
    private int _calls;

    public ManyRepresentationsTests() => _server = LaneEnd.Server(_wire, Map);

    public void Dispose()
    {
        _server.Dispose();
        _peers.ForEach(peer => peer.Dispose());
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public void A_change_has_the_handler_asked_a_limited_number_of_times_in_a_turn(bool isChange)
    {
        Register();
        _calls = 0;

        if (isChange) { _resource.NotifyChanged(); }
        else { _wire.Time.Advance(TimeSpan.FromSeconds(60)); }
        var most = 0;
        for (var turn = 0; turn < 100 && _calls < Peers * OfEach; turn++)
        {
            var before = _calls;
            _server.Lane.Turn();
            most = Math.Max(most, _calls - before);
        }

        _calls.Should().Be(Peers * OfEach, "each representation is made anew");
        most.Should().BeLessOrEqualTo(_server.Mesh.Observing.Settings.MaxNotificationsPerTurn);
    }

    [Fact]
    public void Requests_that_wait_are_received_with_few_notifications_in_between()
    {
        const int Batches = 20, BatchSize = 32;
        Register();
        using var asking = ScriptedPeer.Client(_wire, "asking");
        for (var one = 0; one < Batches * BatchSize; one++) { asking.Send($"NON [0x{one:x4}] GET /r?q=asking (Token 0x{one:x4})"); }
        _calls = 0;

        _resource.NotifyChanged();
        for (var turn = 0; turn <= Batches; turn++) { _server.Lane.Turn(); }
        var callsWhileBehind = _calls - (Batches * BatchSize);
        for (var turn = 0; turn < 100; turn++) { _server.Lane.Turn(); }

        callsWhileBehind.Should().BeInRange(1, (2 * _server.Mesh.Observing.Settings.MaxNotificationsPerTurn) + (Batches * BatchSize / 2));
        _calls.Should().Be((Batches * BatchSize) + (Peers * OfEach), "each representation is made anew");
    }

    private void Map(ResourceMap map) => _resource = map.At("r").Observable(keepsFresh: true).Get(
        request =>
        {
            _calls++;
            return Response.Content(request.Query("q")!);
        },
        HandlerMode.Inline);

    private void Register()
    {
        for (var peer = 0; peer < Peers; peer++)
        {
            var client = ScriptedPeer.Client(_wire, $"peer{peer}");
            _peers.Add(client);
            for (var one = 0; one < OfEach; one++) { client.Send($"NON [0x{one:x4}] GET /r?q={peer}.{one} (Token 0x{one:x4}) {{Observe: 0}}"); }
            client.TakeAll(seconds: 0);
        }
        _resource.ObserverCount.Should().Be(Peers * OfEach);
    }
}
