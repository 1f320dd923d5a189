using CoAP.Resources;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>Observers of one resource, of which a step decides by the peer who may see what.</summary>
public sealed class PrivateRepresentationsTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _alice;
    private readonly ScriptedPeer _bob;
    private readonly HashSet<string> _revoked = [];
    private LaneEnd? _server;
    private Resource _resource = null!;
    private int _calls;

    public PrivateRepresentationsTests() => (_alice, _bob) = (ScriptedPeer.Client(_wire, "Alice"), ScriptedPeer.Client(_wire, "Bob"));

    public void Dispose()
    {
        _alice.Dispose();
        _bob.Dispose();
        _server?.Dispose();
    }

    [Fact]
    public void Each_peer_gets_its_own_and_losing_the_right_ends_its_own_observation_alone()
    {
        Serve(static _ => { });
        Observe(_alice, "{Observe: 1, Content-Format: 0} 'data of Alice'");
        Observe(_bob, "{Observe: 2, Content-Format: 0} 'data of Bob'");

        _revoked.Add("Alice");
        _resource.NotifyChanged();

        _alice.Expect("CON [X] 4.03 Forbidden (Token 0x01)");
        _bob.Expect("CON [Y] 2.05 Content (Token 0x01) {Observe: 3, Content-Format: 0} 'data of Bob'");
        _resource.ObserverCount.Should().Be(1);
    }

    [Theory]
    [InlineData(true, false, 2), InlineData(true, true, 1)]
    [InlineData(false, false, 1), InlineData(false, true, 1)]
    public void A_change_costs_one_call_for_each_peer_unless_all_may_see_the_same(bool stepDependsOnPeer, bool isSharedByAll, int calls)
    {
        Serve(resource => { if (isSharedByAll) { resource.SharedByAll(); } }, stepDependsOnPeer);
        foreach (var peer in new[] { _alice, _bob })
        {
            peer.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
            peer.TakeAll(seconds: 0);
        }
        _calls = 0;

        _resource.NotifyChanged();
        _alice.TakeAll(seconds: 0);

        _calls.Should().Be(calls);
    }

    [Fact]
    public void Only_answers_that_do_not_depend_on_the_peer_are_shared_by_all()
    {
        var resource = new ResourceMap().At("own");

        resource.Invoking(own => own.SharedByAll()).Should().Throw<InvalidOperationException>().WithMessage("'/own' is not observable: *");
        resource.Observable(perPeer: true);
        resource.Invoking(own => own.SharedByAll()).Should().Throw<InvalidOperationException>().WithMessage("'/own' is observable with perPeer: true, *");
    }

    private void Serve(Action<Resource> change, bool stepDependsOnPeer = true)
    {
        _server = LaneEnd.Server(_wire, Map, settings: null, [new ServerStep(Authorize, stepDependsOnPeer)]);
        change(_resource);

        void Map(ResourceMap map) => _resource = map.At("r").Observable().Get(
            request =>
            {
                _calls++;
                return Response.Content($"data of {request.Peer}");
            }, HandlerMode.Inline);
    }

    private RequestDelegate Authorize(RequestDelegate next) => (request, cancellationToken) =>
        _revoked.Contains(request.Peer.ToString()) ? new(new CoapResponse(ResponseCode.Forbidden)) : next(request, cancellationToken);

    private static void Observe(ScriptedPeer peer, string answer)
    {
        peer.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        peer.Expect($"ACK [0x0001] 2.05 Content (Token 0x01) {answer}");
    }
}
