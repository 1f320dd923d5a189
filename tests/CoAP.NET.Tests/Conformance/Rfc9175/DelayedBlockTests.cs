using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>A block that arrives after its body was given up must not become a part of the next body (RFC 9175, section 3.5.1).</summary>
public sealed class DelayedBlockTests : IDisposable
{
    private const string FirstBlock = "CON [X] PUT /store (Token T) {Block1: 0/1/1024, Size1: 2000} '*'";

    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _server;
    private readonly LaneEnd _client;

    public DelayedBlockTests() => (_server, _client) = (ScriptedPeer.Server(_wire), LaneEnd.Client(_wire, new CoapClientSettings()));

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    // Client              Server
    //    | block 0            |
    //    +------------------->|
    //    | block 1            |
    //    +-------- ...        |  delayed; the caller gives up
    //    | Request-Tag, block 0
    //    +------------------->|
    [Theory, Trait("RFC", "9175 3.5.1")]
    [InlineData(1, "")]
    [InlineData(240, "")]
    [InlineData(260, null)]     // EXCHANGE_LIFETIME is 247 s
    public void A_body_after_one_that_was_given_up_has_another_Request_Tag_until_no_block_can_be_under_way(int seconds, string? expected)
    {
        using (var impatience = new CancellationTokenSource())
        {
            var first = _client.Send(Put(), cancellationToken: impatience.Token);
            AnswerFirstBlock();
            _wire.RunUntilIdle(TimeSpan.Zero);
            impatience.Cancel();
            _wire.RunUntil(() => first.IsCompleted);
        }
        _wire.RunFor(TimeSpan.FromSeconds(seconds));
        var before = _wire.Sent(Direction.ToServer).Count;

        _ = _client.Send(Put());
        _wire.RunUntilIdle(TimeSpan.Zero);

        TagOf(_wire.Sent(Direction.ToServer)[before].Bytes).Should().Be(expected);
    }

    [Fact, Trait("RFC", "9175 3.5.1")]
    public void A_body_after_one_that_was_answered_has_no_Request_Tag()
    {
        _ = _client.Send(Put());
        AnswerFirstBlock();
        _server.Expect("CON [Y] PUT /store (Token U) {Block1: 1/0/1024} '*'");
        _server.Send("ACK [Y] 4.00 Bad Request (Token U)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        var before = _wire.Sent(Direction.ToServer).Count;

        _ = _client.Send(Put());
        _wire.RunUntilIdle(TimeSpan.Zero);

        TagOf(_wire.Sent(Direction.ToServer)[before].Bytes).Should().BeNull();
    }

    [Fact]
    public void A_server_that_never_answers_costs_a_bounded_memory()
    {
        var tags = new CoAP.Blockwise.RequestTags();
        var operations = Enumerable.Range(0, 3000).Select(static number => new CoAP.Blockwise.RequestTags.Operation(
            PeerIdentity.FromIPv4((uint)number, 1), default, RequestCode.Put, default)).ToArray();
        foreach (var operation in operations) { tags.Rest(operation, tags.Take(operation, now: 0), until: 100); }

        operations.Count(operation => tags.Take(operation, now: 1) > 0).Should().BeLessThanOrEqualTo(1024);
    }

    private void AnswerFirstBlock()
    {
        _server.Expect(FirstBlock);
        _server.Send("ACK [X] 2.31 Continue (Token T) {Block1: 0/1/1024}");
    }

    private static CoapRequest Put() => new(RequestCode.Put, "/store") { Payload = new byte[2000] };

    private static string? TagOf(byte[] datagram) =>
        WireMessage.Read(datagram).Options.Where(static option => option.Number == 292).Select(static option => Hex.Text(option.Value)).SingleOrDefault();
}
