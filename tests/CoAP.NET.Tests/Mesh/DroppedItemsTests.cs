using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Mesh;

/// <summary>What a user's filter drops is no longer in progress.</summary>
public sealed class DroppedItemsTests
{
    private static readonly string[] Arrows = ["requests", "answers"];

    public static TheoryData<string> Both => new(Arrows);

    [Theory, MemberData(nameof(Both)), Trait("RFC", "8323 5.4.1")]
    public async Task A_dropped_request_on_a_connection_delays_no_custody(string arrow)
    {
        await using var host = new StreamHost(settings => settings with { Links = [Nothing(arrow)] });
        using var peer = await host.OpenAsync();

        peer.Send("31 01 7a b2 6869");              // GET hi
        peer.Send("11 e2 42 20");                   // Ping with Custody

        (await peer.ReadAsync()).Should().Be("11e34220");
    }

    [Theory, MemberData(nameof(Both)), Trait("RFC", "8323 5.5")]
    public async Task A_dropped_request_does_not_keep_a_released_connection_open(string arrow)
    {
        await using var host = new StreamHost(settings => settings with { Links = [Nothing(arrow)] });
        using var peer = await host.OpenAsync();

        peer.Send("31 01 7a b2 6869");
        peer.Send("00 e4");                         // Release

        (await peer.ReadAsync()).Should().BeNull();
    }

    [Fact]
    public void A_body_that_is_read_as_it_comes_ends_with_its_request()
    {
        using var server = new Serving(Nothing("requests"));

        server.Client.Send("CON [0x0100] PUT /up (Token 0x01) {Block1: 0/1/16} '0123456789abcdef'");
        server.Client.ExpectNothing(seconds: 1);

        server.End.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
        server.Calls.Should().Be(0);
    }

    [Fact, Trait("RFC", "7641 4.2")]
    public void Observers_are_told_when_the_filter_lets_an_answer_pass_again()
    {
        var accepts = true;
        using var server = new Serving(MeshLink.Filter(MeshArrow.Answers, _ => accepts));
        server.Client.Send("CON [0x0100] GET /up (Token 0x01) {Observe: 0}");
        server.Client.Expect("ACK [0x0100] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} '1'");

        accepts = false;
        server.Observed.NotifyChanged();
        server.Client.ExpectNothing(seconds: 5);
        accepts = true;

        server.Client.Expect("CON [M] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} '*'");
    }

    private static MeshLink Nothing(string arrow) => arrow == "requests"
        ? MeshLink.Filter(MeshArrow.Requests, _ => false)
        : MeshLink.Filter(MeshArrow.Answers, _ => false);

    private sealed class Serving : IDisposable
    {
        private readonly Wire _wire = new(new ManualClock());

        public Serving(MeshLink link)
        {
            End = LaneEnd.Server(_wire, map => Observed = map.At("up").Observable().StreamsBody().Get(_ => Response.Content($"{++Calls}"), HandlerMode.Inline)
                .Put((_, _) => new(new CoapResponse(ResponseCode.Changed))), new() { Links = [link] });
            Client = ScriptedPeer.Client(_wire);
        }

        public LaneEnd End { get; }

        public ScriptedPeer Client { get; }

        public Resource Observed { get; private set; } = null!;

        public int Calls { get; private set; }

        public void Dispose()
        {
            Client.Dispose();
            End.Dispose();
        }
    }
}
