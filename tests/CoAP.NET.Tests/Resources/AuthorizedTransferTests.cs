using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>Requests and bodies that wait for an authorizer, and bodies that an authorizer denies midway.</summary>
public sealed class AuthorizedTransferTests : AuthorizationScene
{
    [Fact, Trait("RFC", "7252 5.2.2")]
    public void A_request_is_acknowledged_once_while_its_authorizer_takes_long()
    {
        Serve();
        _pending = new();

        _client.Send("CON [0x0001] GET /r (Token 0x01) {Accept: 0}");
        _client.Expect("ACK [0x0001]", at: 0.25);
        _client.ExpectNothing(seconds: 1);
        NoContext.Run(() => _pending.TrySetResult(AuthorizationDecision.Allow()));

        _client.Expect("CON [A] 2.05 Content (Token 0x01) {Content-Format: 0} '*'");
        _client.Send("ACK [A]");
        _client.ExpectNothing(seconds: 10);
        _handled.Should().ContainSingle();
    }

    [Fact, Trait("RFC", "7252 5.2.2")]
    public void A_slow_handler_after_a_slow_authorizer_acknowledges_nothing_again()
    {
        var (decision, late) = (new TaskCompletionSource<AuthorizationDecision>(), new LateAnswer());
        _server = LaneEnd.Server(_wire, map => map.At("r").Get(late.HandleAsync).Authorize((_, _) => new(decision.Task)));

        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _client.Expect("ACK [0x0001]", at: 0.25);
        NoContext.Run(() => decision.TrySetResult(AuthorizationDecision.Allow()));
        _client.ExpectNothing(seconds: 1);
        late.Answer(Response.NotFound);

        _client.Expect("CON [A] 4.04 Not Found (Token 0x01)");
    }

    [Fact]
    public void Blocks_that_wait_are_each_acknowledged_in_time()
    {
        Serve();
        _pending = new();

        _client.Send("CON [0x0001] PUT /r (Token 0x01) {Block1: 1/1/16} '0123456789abcdef'");
        _client.ExpectNothing(seconds: 0.1);
        _client.Send("CON [0x0002] PUT /r (Token 0x02) {Block1: 2/1/16} '0123456789abcdef'");

        _client.Expect("ACK [0x0001]", at: 0.25);
        _client.Expect("ACK [0x0002]", at: 0.35);
        _asked.Should().ContainSingle();
    }

    [Theory]
    [InlineData("/r"), InlineData("/stream")]
    public void A_denied_block_drops_the_body_at_once(string path)
    {
        Serve(path);
        _client.Send($"CON [0x0001] PUT {path} (Token 0x01) {{Block1: 0/1/16}} '0123456789abcdef'");
        _client.Expect("ACK [0x0001] 2.31 Continue (Token 0x01) {Block1: 0/1/16}");
        _server!.Lane.Ledger.Bodies.Used.Should().BePositive();

        _denied.Add("client");
        _client.Send($"CON [0x0002] PUT {path} (Token 0x01) {{Block1: 1/1/16}} '0123456789abcdef'");

        _client.Expect("ACK [0x0002] 4.01 Unauthorized (Token 0x01) {Max-Age: 0}");
        _wire.RunFor(TimeSpan.FromSeconds(1));
        _server.Lane.Ledger.Bodies.Used.Should().Be(0);
    }

    // 19 is Q-Block1.
    [Fact]
    public void A_denied_robust_block_drops_the_body_at_once()
    {
        Serve();
        _client.Send("NON [0x0001] PUT /r (Token 0x01) {19: 0x08, Size1: 40, Request-Tag: 0x07} '0123456789abcdef'");
        _client.TakeAll(seconds: 0);
        _server!.Lane.Ledger.Bodies.Used.Should().BePositive();

        _denied.Add("client");
        _client.Send("NON [0x0002] PUT /r (Token 0x02) {19: 0x18, Size1: 40, Request-Tag: 0x07} '0123456789abcdef'");

        _client.Expect("NON [A] 4.01 Unauthorized (Token 0x02) {Max-Age: 0}");
        _server.Lane.Ledger.Bodies.Used.Should().Be(0);
    }

    [Fact]
    public void A_segment_with_a_slash_differs_from_two_segments()
    {
        List<string> seen = [];
        _server = LaneEnd.Server(_wire, map => CoAP.Resources.AuthorizerChain.AddTo(map.Features, (request, _) =>
        {
            seen.Add(string.Join('|', request.PathSegments));
            return new(AuthorizationDecision.Deny());
        }));

        _client.Send("CON [0x0001] GET /a/b (Token 0x01)");
        _client.TakeAll(seconds: 0);
        _client.SendBytes("41 01 00 02 01 b3 612f62");
        _client.TakeAll(seconds: 0);

        seen.Should().Equal("a|b", "a/b");
    }
}
