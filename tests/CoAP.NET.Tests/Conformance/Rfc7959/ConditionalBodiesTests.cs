using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>If-None-Match stands on the first block of a body alone (RFC 7959, section 2.10), and holds for the whole of it.</summary>
public sealed class ConditionalBodiesTests : IDisposable
{
    private const string First = "0123456789abcdef";

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private readonly List<string> _bodies = [];

    public ConditionalBodiesTests()
    {
        _server = LaneEnd.Server(_wire, resources => resources.At("thing").HandlesConditions().Put(Create, HandlerMode.Inline));
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    [Theory, Trait("RFC", "7959 2.10")]
    [InlineData(""), InlineData(", If-None-Match: ")]
    public void The_handler_sees_If_None_Match_of_the_first_block(string repeated)
    {
        _client.Send($"CON [0x0001] PUT /thing {{If-None-Match: , Block1: 0/1/16}} '{First}'");
        _client.Expect("ACK [0x0001] 2.31 Continue {Block1: 0/1/16}");
        _client.Send($"CON [0x0002] PUT /thing {{Block1: 1/0/16{repeated}}} 'ghi'");

        _client.Expect("ACK [0x0002] 4.12 {Block1: 1/0/16}");
        _bodies.Should().Equal(First + "ghi");
    }

    // 19 is Q-Block1: block 0 with more to come, and block 1, the last one, in 16 bytes each.
    [Fact, Trait("RFC", "9177 4.1")]
    public void A_condition_in_any_block_applies_to_the_body_in_any_order()
    {
        _client.Send("NON [0x0001] PUT /thing (Token 0x01) {19: 0x10, Size1: 19, Request-Tag: 0x07} 'ghi'");
        _client.Send($"NON [0x0002] PUT /thing (Token 0x02) {{If-None-Match: , 19: 0x08, Size1: 19, Request-Tag: 0x07}} '{First}'");
        _client.Send("NON [0x0003] PUT /thing (Token 0x03) {19: 0x10, Size1: 19, Request-Tag: 0x08} 'ghi'");
        _client.Send($"NON [0x0004] PUT /thing (Token 0x04) {{19: 0x08, Size1: 19, Request-Tag: 0x08}} '{First}'");

        _client.Expect("NON [A] 4.12 (Token 0x02)");
        _client.Expect("NON [B] 2.04 Changed (Token 0x04)");
        _bodies.Should().Equal(First + "ghi", First + "ghi");
    }

    [Fact, Trait("RFC", "7959 2.10")]
    public void A_body_without_it_that_begins_anew_is_not_conditional()
    {
        _client.Send($"CON [0x0001] PUT /thing {{If-None-Match: , Block1: 0/1/16}} '{First}'");
        _client.Expect("ACK [0x0001] 2.31 Continue {Block1: 0/1/16}");
        _client.Send($"CON [0x0002] PUT /thing {{Block1: 0/1/16}} '{First}'");
        _client.Expect("ACK [0x0002] 2.31 Continue {Block1: 0/1/16}");
        _client.Send("CON [0x0003] PUT /thing {Block1: 1/0/16} 'ghi'");

        _client.Expect("ACK [0x0003] 2.04 Changed {Block1: 1/0/16}");
    }

    private CoapResponse Create(IncomingRequest request)
    {
        _bodies.Add(request.PayloadText);
        return request.Options.Contains<IfNoneMatch>() ? new(ResponseCode.PreconditionFailed) : Response.Changed;
    }
}
