using CoAP.TestSupport;

namespace CoAP.Tests.Mesh;

/// <summary>Two identities behind one address, such as devices behind a proxy. A stage sets the credentials of each message.</summary>
public sealed class SharedAddressTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly List<string> _bodies = [];
    private LaneEnd? _end;
    private ScriptedPeer? _peer;
    private Resource _resource = null!;
    private string? _speaker;
    private int _calls;

    public void Dispose()
    {
        _peer?.Dispose();
        _end?.Dispose();
    }

    [Fact]
    public void A_body_has_no_blocks_of_another_identity()
    {
        Serve();

        Exchange("a", "CON [0x0001] PUT /r (Token 0x01) {Block1: 0/1/16} 'aaaaaaaaaaaaaaaa'",
            "ACK [0x0001] 2.31 Continue (Token 0x01) {Block1: 0/1/16}");
        Exchange("b", "CON [0x0002] PUT /r (Token 0x02) {Block1: 0/1/16} 'bbbbbbbbbbbbbbbb'",
            "ACK [0x0002] 2.31 Continue (Token 0x02) {Block1: 0/1/16}");
        Exchange("a", "CON [0x0003] PUT /r (Token 0x03) {Block1: 1/0/16} 'A'", "ACK [0x0003] 2.04 Changed (Token 0x03) {Block1: 1/0/16}");
        Exchange("b", "CON [0x0004] PUT /r (Token 0x04) {Block1: 1/0/16} 'B'", "ACK [0x0004] 2.04 Changed (Token 0x04) {Block1: 1/0/16}");

        _bodies.Should().Equal("a: aaaaaaaaaaaaaaaaA", "b: bbbbbbbbbbbbbbbbB");
    }

    [Fact]
    public void A_kept_response_is_sent_only_to_the_identity_that_it_is_for()
    {
        Serve();

        Exchange("a", "CON [0x0001] POST /r (Token 0x01) {Block2: 0/0/16}",
            "ACK [0x0001] 2.05 Content (Token 0x01) {ETag: E, Content-Format: 0, Block2: 0/1/16, Size2: 40} 'aaaaaaaaaaaaaaaa'");
        Exchange("b", "CON [0x0002] POST /r (Token 0x02) {Block2: 1/0/16}", "ACK [0x0002] 4.08 Request Entity Incomplete (Token 0x02) '*'");
        Exchange("a", "CON [0x0003] POST /r (Token 0x03) {Block2: 1/0/16}",
            "ACK [0x0003] 2.05 Content (Token 0x03) {ETag: E, Content-Format: 0, Block2: 1/1/16} 'aaaaaaaaaaaaaaaa'");
    }

    [Fact]
    public void An_observation_is_ended_only_by_the_identity_that_has_begun_it()
    {
        Serve();

        Exchange("a", "CON [0x0001] GET /r (Token 0x01) {Observe: 0}",
            "ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} 'a 1'");
        Exchange("b", "CON [0x0002] GET /r (Token 0x01) {Observe: 1}", "ACK [0x0002] 2.05 Content (Token 0x01) {Content-Format: 0} 'b 2'");
        _resource.NotifyChanged();

        _peer!.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} 'a 3'");
    }

    [Fact]
    public void The_same_message_of_another_identity_is_not_a_duplicate()
    {
        Serve();
        const string Same = "CON [0x0001] GET /r (Token 0x01)";

        Exchange("a", Same, "ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'a 1'");
        Exchange("b", Same, "ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'b 2'");
        Exchange("a", Same, "ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'a 1'");
    }

    [Fact]
    public void The_representation_of_an_identity_is_shared_by_its_messages()
    {
        Serve();
        Exchange("a", "CON [0x0001] GET /r (Token 0x01) {Observe: 0}",
            "ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} 'a 1'");
        Exchange("a", "CON [0x0002] GET /r (Token 0x02) {Observe: 0}",
            "ACK [0x0002] 2.05 Content (Token 0x02) {Observe: 1, Content-Format: 0} 'a 2'");

        _resource.NotifyChanged();
        _wire.RunUntilIdle(TimeSpan.Zero);

        _calls.Should().Be(3);
    }

    // After a restart its notifications would leave the server without the protection of the stage.
    [Fact]
    public async Task An_observation_that_a_stage_protects_is_not_stored()
    {
        var store = new InMemoryObserverStore();
        Serve(new ServerObservationSettings { Store = store });
        _end!.Lane.Addresses!.Verify(_peer!.Self);

        Exchange("a", "CON [0x0001] GET /r (Token 0x01) {Observe: 0}",
            "ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} 'a 1'");
        _speaker = null;
        _peer.Send("CON [0x0002] GET /r (Token 0x02) {Observe: 0}");
        _peer.Expect("ACK [0x0002] 2.05 Content (Token 0x02) {Observe: 2, Content-Format: 0} 'nobody 2'");
        await _end.Mesh.Observing.Journal!.CompleteAsync(TimeProvider.System);

        store.List().Select(static one => Hex.Text(one.Token.ToArray())).Should().Equal("02");
    }

    [Fact]
    [Trait("RFC", "9175 2.3")]
    public void An_Echo_value_that_came_inside_a_protection_is_not_sent_in_clear()
    {
        _peer = ScriptedPeer.Server(_wire);
        _end = LaneEnd.Client(_wire, new CoapClientSettings { Links = [Names()] });
        _speaker = "a";

        _end.Get("/r");
        _peer.Expect("CON [X] GET /r (Token T)");
        _peer.Send("ACK [X] 4.01 Unauthorized (Token T) {Echo: 0x05}");
        _peer.Expect("CON [Y] GET /r (Token U) {Echo: 0x05}");
        _peer.Send("ACK [Y] 2.05 Content (Token U) {Echo: 0x06} 'a'");
        _wire.RunUntilIdle(TimeSpan.Zero);
        _speaker = null;
        _end.Get("/r");

        _peer.Expect("CON [Z] GET /r (Token V)");
        _peer.Send("ACK [Z] 2.05 Content (Token V) {Echo: 0x07} 'a'");
        _wire.RunUntilIdle(TimeSpan.Zero);
        _end.Get("/r");
        _peer.Expect("CON [W] GET /r (Token S) {Echo: 0x07}");
    }

    private MeshLink Names() => MeshLink.Stages(lane => lane.Insert(MeshArrow.FramesIn, new Naming(this)));

    private void Serve(ServerObservationSettings? observations = null)
    {
        _peer = ScriptedPeer.Client(_wire);
        _end = LaneEnd.Server(
            _wire,
            map => _resource = map.At("r").Observable()
                .Get(request => Response.Content($"{NameOf(request)} {++_calls}"), HandlerMode.Inline)
                .Put(Store, HandlerMode.Inline)
                .Post(static request => Response.Content(string.Concat(Enumerable.Repeat(NameOf(request), 40))), HandlerMode.Inline),
            new()
            {
                Links = [Names()],
                ServerObservations = observations ?? new(),
                ServerTransfers = new ServerTransferSettings { PreferredBlockSize = 16, MaxDatagramPayload = 16 },
            });
    }

    private CoapResponse Store(IncomingRequest request)
    {
        _bodies.Add($"{NameOf(request)}: {request.PayloadText}");
        return Response.Changed;
    }

    private static string NameOf(IncomingRequest request) => request.Credentials?.PreSharedKeyIdentity ?? "nobody";

    private void Exchange(string speaker, string request, string answer)
    {
        _speaker = speaker;
        _peer!.Send(request);
        _peer.Expect(answer);
    }

    private sealed class Naming(SharedAddressTests test) : InlineStage<Frame, Frame>
    {
        protected override void Process(in Frame item) => Out.Emit(
            test._speaker is { } name ? item with { Credentials = new PeerCredentials { PreSharedKeyIdentity = name } } : item);
    }
}
