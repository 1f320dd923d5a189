using CoAP.Datagrams;
using CoAP.Observing;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>
/// A change of a resource of which clients observe many representations. Clients determine their number, so a change must not hold the
/// lane.
/// </summary>
public sealed class ManyRepresentationsTests : IDisposable
{
    private const int Many = 3000;
    private const int MostPerTurn = 256;

    private readonly LaneEnd _server;
    private readonly LaneEnd _idle;
    private readonly ObservedResource _cut;
    private readonly List<ObservedRepresentation> _all = [];
    private int _made;

    public ManyRepresentationsTests()
    {
        Resource? resource = null;
        _server = LaneEnd.Server(
            new Wire(new ManualClock()), map => resource = map.At("r").Observable().Get((_, _) => new(Response.Content("a"))));
        _idle = LaneEnd.Server(new Wire(new ManualClock()), static _ => { });
        // The other lane takes no turns, so what is due stays due.
        _cut = new ObservedResource(_server.Mesh.Observing, new NotificationTurns(_idle.Lane, mostPerTurn: 1), resource!);
        for (var one = 0; one < Many; one++) { Join(); }
    }

    private int Due => _all.Count(static one => one.IsDue);

    public void Dispose()
    {
        _server.Dispose();
        _idle.Dispose();
    }

    [Theory, InlineData(false), InlineData(true)]
    public void A_change_of_many_representations_leaves_turns_for_other_work(bool isOfPath)
    {
        _cut.OnChanged(isOfPath ? _all[0].Path : null);

        for (var (turns, before) = (0, 0); Due < Many; before = Due, turns++)
        {
            turns.Should().BeLessThan(2 * Many / MostPerTurn);
            _server.Lane.Turn();
            (Due - before).Should().BeInRange(1, MostPerTurn);
        }
    }

    [Fact]
    public void A_change_during_a_walk_concerns_those_that_were_visited_before()
    {
        _cut.OnChanged(path: null);
        for (var turn = 0; turn < 4; turn++) { _server.Lane.Turn(); }
        Due.Should().BeInRange(1, Many - 1);
        foreach (var one in _all) { one.IsDue = false; }

        _cut.OnChanged(_all[^1].Path);
        RunUntilIdle();

        Due.Should().Be(Many);
    }

    [Fact]
    public void Representations_that_join_and_leave_during_a_walk_do_not_hide_others_from_it()
    {
        var random = new Random(4711);
        var first = _all.ToHashSet();
        _cut.OnChanged(path: null);

        while (_server.Lane.Turn())
        {
            for (var i = 0; i < 40; i++)
            {
                Leave(random.Next(_all.Count));
                if (random.Next(2) == 0) { Join(); }
            }
        }

        _all.Where(first.Contains).Should().HaveCountGreaterThan(Many / 2).And.OnlyContain(static one => one.IsDue);
        while (_all.Count > 0) { Leave(random.Next(_all.Count)); }
        _cut.IsEmpty.Should().BeTrue();
    }

    private void RunUntilIdle()
    {
        while (_server.Lane.Turn())
        {
        }
    }

    private void Join()
    {
        OptionSet options = [new Observe(0), new UriPath("r"), new UriQuery($"{_made++}")];
        var message = new CoapMessage { Code = RequestCode.Get, Token = new Token([1]), Options = options };
        var request = new DatagramRequest(_server.Lane, message, new ChannelKey(PeerIdentity.From("client"), PeerIdentity.From("server")));
        _all.Add(_cut.RepresentationFor(RepresentationKey.Of(request, isPerPeer: false), request));
    }

    private void Leave(int at)
    {
        _cut.Detach(_all[at]);
        _all[at] = _all[^1];
        _all.RemoveAt(_all.Count - 1);
    }
}
