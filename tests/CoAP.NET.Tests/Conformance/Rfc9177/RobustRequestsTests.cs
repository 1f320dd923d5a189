using CoAP.TestSupport;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>What our server takes for a new request, a block of a body, or neither.</summary>
public sealed class RobustRequestsTests : IDisposable
{
    private readonly RobustServerUnderTest _cut = new();

    public void Dispose() => _cut.Dispose();

    // Client      Server
    //   +--------->| NON POST /report M:0x01 T:0xc0 QB2:0/0/16 'A'
    //   |<---------+ NON 2.05 T:0xc0 QB2:0/1/16, made from 'A'
    //   +--------->| NON POST /report M:0x02 T:0xc1 QB2:0/0/16 'B'
    //   |<---------+ NON 2.05 T:0xc1 QB2:0/1/16, made from 'B' and not the older one
    [Fact, Trait("RFC", "9177 4.1"), Trait("RFC", "9177 4.4")]
    public void A_request_with_a_payload_that_is_not_safe_is_always_new()
    {
        foreach (var (id, text) in new[] { (1, 'A'), (2, 'B') })
        {
            _cut.Client.Send($"NON [0x0{id}] POST /report (Token 0xc{id}) {{31: 0x00}} '{text}'");

            _cut.Client.Expect($"NON [a{id}] 2.05 Content (Token 0xc{id}) {{ETag: 0x13, Content-Format: 0, 28: 0x28, 31: 0x08}} '{text}he first block.'");
            _cut.Client.ExpectNothing(seconds: 1);
        }
    }

    [Theory, Trait("RFC", "9177 4.1")]
    [InlineData("GET /large"), InlineData("DELETE /report")]
    public void A_request_that_has_no_payload_cannot_have_Q_Block1(string request)
    {
        _cut.Client.Send($"CON [0x01] {request} (Token 0xc0) {{19: 0x18, Size1: 40, 292: 0x09}}");

        _cut.Client.Expect("ACK [0x0001] 4.02 Bad Option (Token 0xc0) {Content-Format: 257} '*'");
        (_cut.Gets, _cut.Bodies.Count).Should().Be((0, 0));
    }

    [Fact, Trait("RFC", "9177 4.1")]
    public void Without_a_resource_it_is_4_04_all_the_same()
    {
        _cut.Client.Send("CON [0x01] GET /nothing (Token 0xc0) {19: 0x18, Size1: 40, 292: 0x09}");

        _cut.Client.Expect("ACK [0x0001] 4.04 Not Found (Token 0xc0)");
    }

    // NON_PARTIAL_TIMEOUT is 247 s. Nobody asks the sender of confirmable blocks for missing ones, so no such request counts.
    [Fact, Trait("RFC", "9177 4.3")]
    public void A_partial_body_of_confirmable_blocks_is_kept_for_NON_PARTIAL_TIMEOUT()
    {
        _cut.Client.Send("CON [0x01] PUT /path (Token 0xc0) {19: 0x08, Size1: 20, 292: 0x09} '0123456789abcdef'");
        _cut.Client.Expect("ACK [0x0001]");
        _cut.Client.ExpectNothing(seconds: 240);

        _cut.Client.Send("CON [0x02] PUT /path (Token 0xc1) {19: 0x10, Size1: 20, 292: 0x09} 'end.'");

        _cut.Client.Expect("ACK [0x0002] 2.04 Changed (Token 0xc1)");
        _cut.Bodies.Should().Equal("0123456789abcdefend.");
    }

    [Fact, Trait("RFC", "9177 4.3"), Trait("RFC", "9177 7.2")]
    public void After_a_confirmable_block_a_client_that_goes_on_with_others_is_asked_for_what_is_missing()
    {
        _cut.Client.Send("CON [0x01] PUT /path (Token 0xc0) {19: 0x08, Size1: 40, 292: 0x09} '0123456789abcdef'");
        _cut.Client.Expect("ACK [0x0001]");
        _cut.Client.Send("NON [0x02] PUT /path (Token 0xc1) {19: 0x20, Size1: 40, 292: 0x09} '01234567'");

        _cut.Client.Expect("NON [a] 4.08 Request Entity Incomplete (Token 0xc1) {Content-Format: 272} '\u0001'", at: 4.08);
    }

    // Ten blocks are a set. Block 3 is lost, and so is the first 4.08.
    [Fact, Trait("RFC", "9177 4.3")]
    public void A_repeated_block_gets_the_4_08_again()
    {
        for (var number = 0; number < 11; number++)
        {
            if (number != 3) { Send(number, message: number); }
        }
        _cut.Client.Expect("NON [a] 4.08 Request Entity Incomplete (Token 0xaa) {Content-Format: 272} '\u0003'", at: 0.04);

        Send(number: 10, message: 11);

        _cut.Client.Expect("NON [b] 4.08 Request Entity Incomplete (Token 0xab) {Content-Format: 272} '\u0003'", at: 0.08);
    }

    // A client tells the blocks of two bodies apart by their ETags. The handler sets none.
    [Fact, Trait("RFC", "9177 4.4")]
    public void Each_body_has_an_ETag_of_its_own()
    {
        _cut.Untagged = new string('a', 40);
        var first = Tags("0xc1");
        var again = Tags("0xc2");
        _cut.Untagged = new string('b', 40);
        var other = Tags("0xc3");

        first.Should().HaveCount(3).And.OnlyContain(tag => tag == first[0]);
        again.Should().Equal(first, "it is the same body");
        other.Should().HaveCount(3).And.NotContain(first[0]);
    }

    private List<string> Tags(string token)
    {
        var before = _cut.Client.Received.Count;
        _cut.Client.Send($"NON [0x{token[2..]}] GET /untagged (Token {token}) {{31: 0x08}}");
        _cut.Client.TakeAll(seconds: 1);
        return [.. _cut.Client.Received.Skip(before).Select(static bytes => Hex.Text(WireMessage.Read(bytes).Options.Single(static option => option.Number == 4).Value))];
    }

    private void Send(int number, int message) => _cut.Client.Send(
        $"NON [0x0{message:x}] PUT /path (Token 0xa{message:x}) {{19: 0x{(16 * number) + 8:x2}, Size1: 320, 292: 0x09}} '0123456789abcdef'");
}
