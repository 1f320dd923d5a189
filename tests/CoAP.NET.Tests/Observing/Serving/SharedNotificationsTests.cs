using System.Text;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>How often the handler is asked, and what observers share.</summary>
public sealed class SharedNotificationsTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly List<string> _asked = [];
    private Resource _resource = null!;
    private LaneEnd? _server;

    public void Dispose() => _server?.Dispose();

    [Fact, Trait("RFC", "7641 4.2")]
    public void One_change_asks_the_handler_once_and_a_hundred_thousand_observers_share_what_it_said()
    {
        const int Observers = 100_000;
        using var crowd = new ObserverCrowd(Observers);
        var (calls, turns) = (crowd.Calls, crowd.Turns);

        crowd.Resource.NotifyChanged();
        crowd.PumpUntilQuiet();

        (crowd.Calls - calls).Should().Be(1);
        crowd.Notified.Should().HaveCount(Observers, "each client got one").And.OnlyContain(one => one.Value == 1);
        crowd.Payloads.Should().ContainSingle("all of them are the same memory");
        crowd.OptionRegions.Should().ContainSingle("the options were written once");
        (crowd.Turns - turns).Should().BeGreaterThan(Observers / 128, "requests are answered between them");
        crowd.MostInOneTurn.Should().BeLessThanOrEqualTo(128);
    }

    [Fact]
    public void Requests_that_select_different_representations_ask_once_each()
    {
        Serve(resource => resource.Observable(keepsFresh: false));
        var clients = new[] { ("a", "/r?u=C"), ("b", "/r?u=C"), ("c", "/r?u=F"), ("d", "/r") }.Select(one => Observe(one.Item1, one.Item2)).ToArray();
        _asked.Clear();

        _resource.NotifyChanged();
        Settle(clients);

        _asked.Should().Equal("u=C", "u=F", "");
    }

    [Fact]
    public void An_answer_that_depends_on_the_peer_is_created_for_each_peer()
    {
        Serve(resource => resource.Observable(perPeer: true));
        var clients = new[] { Observe("a", "/r"), Observe("b", "/r") };
        _asked.Clear();

        _resource.NotifyChanged();
        Settle(clients);

        _asked.Should().HaveCount(2);
    }

    [Fact]
    public void Many_changes_before_the_lane_hears_of_them_are_one()
    {
        Serve(resource => resource.Observable(keepsFresh: false));
        var client = Observe("a", "/r");
        _asked.Clear();

        for (var i = 0; i < 1000; i++) { _resource.NotifyChanged(); }
        Settle(client);

        _asked.Should().ContainSingle();
    }

    [Fact]
    public void Only_observers_of_the_changed_path_are_notified()
    {
        var server = LaneEnd.Server(_wire, map => _resource = map.At("r/{id}").Observable(keepsFresh: false).Get(Answer, HandlerMode.Inline));
        _server = server;
        var (one, two) = (Observe("a", "/r/1"), Observe("b", "/r/2"));

        _resource.NotifyChanged("r/2");
        two.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 3}");
        two.Send("ACK [X]");
        one.ExpectNothing(seconds: 60);
        _resource.NotifyChanged("/r/1");

        one.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2}");
        _resource.ObserverCount.Should().Be(2);
    }

    [Fact]
    public void A_path_that_the_template_does_not_match_cannot_have_changed()
    {
        var resource = new ResourceMap().At("r/{id:int}").Observable();

        resource.Invoking(one => one.NotifyChanged("s/2")).Should().Throw<ArgumentException>().WithMessage("Path 's/2' does not match the template '/r/{id:int}', so*");
        resource.Invoking(one => one.NotifyChanged("r/x")).Should().Throw<ArgumentException>();
        resource.Invoking(one => one.NotifyChanged("r/2")).Should().NotThrow();
    }

    // RFC 8132, section 2.4: FETCH is observed as GET is, and its payload is part of what is observed.
    [Fact, Trait("RFC", "8132 2.4")]
    public void A_FETCH_is_observed_with_its_payload()
    {
        _server = LaneEnd.Server(_wire, map => _resource = map.At("r").Observable(keepsFresh: false).Fetch(request => Say(request.PayloadText), HandlerMode.Inline));
        var client = ScriptedPeer.Client(_wire, "a");
        client.Send("CON [0x0001] FETCH /r (Token 0x01) {Observe: 0} 'b'");
        client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1} 'b'");

        _resource.NotifyChanged();

        client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2} 'b'");
    }

    private void Serve(Action<Resource> configure)
    {
        _server = LaneEnd.Server(_wire, map =>
        {
            _resource = map.At("r").Get(Answer, HandlerMode.Inline);
            configure(_resource);
        });
    }

    private ScriptedPeer Observe(string name, string path)
    {
        var client = ScriptedPeer.Client(_wire, name);
        client.Send($"CON [0x0001] GET {path} (Token 0x01) {{Observe: 0}}");
        client.TakeAll(seconds: 0);
        client.Received.Should().ContainSingle();
        return client;
    }

    private static void Settle(params ScriptedPeer[] clients)
    {
        foreach (var client in clients)
        {
            client.TakeAll(seconds: 0);
            var last = client.Received[^1];
            client.Send([0x60, 0x00, last[2], last[3]]);
        }
    }

    private CoapResponse Answer(IncomingRequest request)
    {
        _asked.Add(string.Join('&', request.Options.GetAll<UriQuery>().Select(one => one.Value)));
        return Say("");
    }

    private static CoapResponse Say(string text) => new(ResponseCode.Content) { Payload = Encoding.UTF8.GetBytes(text) };
}
