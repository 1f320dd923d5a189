using CoAP.Accounting;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing.Serving;

/// <summary>A call of the handler for observers that finds no room is made again, whatever the user's stages do with the answers.</summary>
public sealed class PutOffTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private readonly LateAnswer _handler = new();
    private LaneEnd _server = null!;
    private Resource _resource = null!;

    public PutOffTests() => _client = ScriptedPeer.Client(_wire);

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Theory, Trait("RFC", "7641 4.2")]
    [InlineData(false), InlineData(true)]
    public void A_stage_that_changes_the_refusal_does_not_end_the_observation(bool changes)
    {
        Serve(changes ? [Changing(MeshArrow.Answers)] : []);
        _client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        _client.TakeAll(seconds: 0);
        Answer("a");

        FillUp(_server.Lane.Ledger.Requests);
        _resource.NotifyChanged();
        _client.TakeAll(seconds: 0.5);
        var before = _client.Received.Count;
        _resource.ObserverCount.Should().Be(1);
        Empty(_server.Lane.Ledger.Requests);
        _client.TakeAll(seconds: 2);
        Answer("b");

        WireMessage.Read(_client.Received[before]).Payload.Should().Equal("b"u8.ToArray());
        _resource.ObserverCount.Should().Be(1);
    }

    private void Serve(params MeshLink[] links) => _server = LaneEnd.Server(
        _wire,
        map => _resource = map.At("r").Observable(keepsFresh: false).Get(_handler.HandleAsync),
        new CoapServerSettings { Links = links });

    private static MeshLink Changing(MeshArrow<Answer> arrow) => MeshLink.Stages(lane => lane.Insert(arrow, new Marking()));

    private void Answer(string text)
    {
        _handler.Answer(Response.Content(text));
        _client.TakeAll(seconds: 0);
    }

    private static void FillUp(LedgerBook book)
    {
        for (var i = 0; i < book.Limit; i++) { book.Take(Account.Of($"{i}")); }
    }

    private static void Empty(LedgerBook book)
    {
        for (var i = 0; i < book.Limit; i++) { book.Release(Account.Of($"{i}")); }
    }

    private sealed class Marking : InlineStage<Answer, Answer>
    {
        protected override void Process(in Answer item) => Out.Emit(item.With(item.Response.With(new UnknownOption(65_000, "x"u8.ToArray()))));
    }
}
