using CoAP.TestSupport;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Bodies in Q-Block2 responses of our server. The body is 40 bytes: blocks 0 and 1 of 16 bytes and block 2 of 8.</summary>
public sealed class RobustDownloadFromServerTests : IDisposable
{
    private RobustServerUnderTest _cut = new();

    public void Dispose() => _cut.Dispose();

    private void Use(CoapServerSettings settings)
    {
        _cut.Dispose();
        _cut = new RobustServerUnderTest(settings);
    }

    private static string Block(string id, string token, int number) =>
        $"NON [{id}] 2.05 Content (Token {token}) {{ETag: 0x13, Content-Format: 0, 28: 0x28, 31: 0x{number}{(number == 2 ? 0 : 8)}}} "
        + number switch { 0 => "'The first block.'", 1 => "'The second block'", _ => "'.The end'" };

    [Theory]
    [InlineData("0x18, 31: 0x08")]
    [InlineData("0x10, 31: 0x10")]
    [InlineData("0x0f")]
    [Trait("RFC", "9177 4.4")]
    public void Blocks_that_do_not_ascend_and_the_reserved_size_are_4_00(string blocks)
    {
        _cut.Client.Send($"NON [0x01] GET /large (Token 0xc0) {{31: {blocks}}}");

        _cut.Client.Expect("NON [a] 4.00 Bad Request (Token 0xc0) '*'");
    }

    // Client      Server
    //   +--------->| NON GET /large M:0x01 T:0xc0 QB2:0/1/16
    //   |<---------+ NON 2.05 T:0xc0 ET=0x13 QB2:0/1/16
    //   |     X<---+ NON 2.05 T:0xc0 ET=0x13 QB2:1/1/16
    //   |<---------+ NON 2.05 T:0xc0 ET=0x13 QB2:2/0/16
    //   +--------->| NON GET /large M:0x02 T:0xc1 QB2:1/0/16
    //   |<---------+ NON 2.05 T:0xc1 ET=0x13 QB2:1/1/16
    [Fact]
    [Trait("RFC", "9177 4.4")]
    [Trait("RFC", "9177 4.6")]
    public void A_body_is_sent_at_once_and_missing_blocks_are_repeated()
    {
        _cut.Client.Send("NON [0x01] GET /large (Token 0xc0) {31: 0x08}");
        for (var number = 0; number < 3; number++) { _cut.Client.Expect(Block($"m{number}", "0xc0", number), at: 0.04); }
        _cut.Client.Send("NON [0x02] GET /large (Token 0xc1) {31: 0x10}");
        _cut.Client.Expect(Block("m4", "0xc1", 1));

        _cut.Gets.Should().Be(1);
        _cut.Client.ExpectNothing(seconds: 600);
        _cut.Server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact]
    [Trait("RFC", "9177 4.4")]
    public void Blocks_of_a_body_that_is_not_kept_any_more_are_made_anew()
    {
        _cut.Client.Send("NON [0x01] GET /large (Token 0xc0) {31: 0x10, 31: 0x20}");
        _cut.Client.Expect(Block("a", "0xc0", 1));
        _cut.Client.Expect(Block("b", "0xc0", 2));

        _cut.Gets.Should().Be(1);
    }

    // Client      Server
    //   +--------->| NON GET /untagged QB2:0/1/16
    //   |<---------+ NON 2.05 ET=a Size2:40, three blocks
    //   |   ...    | [[the body changes, and the old one is not kept any more]]
    //   +--------->| NON GET /untagged QB2:1/0/16
    //   |<---------+ NON 2.05 ET=b Size2:50 QB2:1/1/16
    [Fact]
    [Trait("RFC", "9177 4.4")]
    public void Missing_blocks_after_a_change_come_from_the_new_body_with_its_ETag_and_its_size()
    {
        _cut.Untagged = new string('a', 40);
        _cut.Client.Send("NON [0x01] GET /untagged (Token 0xc0) {31: 0x08}");
        _cut.Client.Expect("NON [a] 2.05 Content (Token 0xc0) {ETag: E, Content-Format: 0, 28: 0x28, 31: 0x08} 'aaaaaaaaaaaaaaaa'");
        var old = ETagOf(_cut.Client.LastBytes);
        _cut.Client.TakeAll(seconds: 600);
        _cut.Untagged = new string('b', 50);

        _cut.Client.Send("NON [0x02] GET /untagged (Token 0xc1) {31: 0x10}");
        _cut.Client.Expect("NON [b] 2.05 Content (Token 0xc1) {ETag: F, Content-Format: 0, 28: 0x32, 31: 0x18} 'bbbbbbbbbbbbbbbb'");

        ETagOf(_cut.Client.LastBytes).Should().NotBe(old);
    }

    // The negotiation: only a confirmable request is answered by servers that do not know Q-Block.
    //   +--------->| CON GET /large M:0x01 T:0xc0 QB2:0/0/16
    //   |<---------+ ACK 2.05 M:0x01 T:0xc0 ET=0x13 QB2:0/1/16
    //   +--------->| NON GET /large M:0x02 T:0xc1 QB2:1/1/16
    //   |<---------+ NON 2.05 T:0xc1 ET=0x13 QB2:1/1/16
    //   |<---------+ NON 2.05 T:0xc1 ET=0x13 QB2:2/0/16
    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void A_confirmable_request_gets_one_block_and_the_rest_comes_to_the_next_one()
    {
        _cut.Client.Send("CON [0x01] GET /large (Token 0xc0) {31: 0x00}");
        _cut.Client.Expect(Block("0x01", "0xc0", 0).Replace("NON", "ACK", StringComparison.Ordinal));
        _cut.Client.Send("NON [0x02] GET /large (Token 0xc1) {31: 0x18}");
        _cut.Client.Expect(Block("b", "0xc1", 1));
        _cut.Client.Expect(Block("c", "0xc1", 2));

        _cut.Gets.Should().Be(1);
    }

    [Fact]
    [Trait("RFC", "9177 4.4")]
    public void A_Reset_ends_the_body()
    {
        _cut.Large = new string('x', 16 * 20);
        _cut.Client.Send("NON [0x01] GET /large (Token 0xc0) {31: 0x08}");
        _cut.Client.TakeAll(1);
        _cut.Client.Received.Should().HaveCount(10);
        _cut.Client.Send([0x70, 0x00, _cut.Client.Received[9][2], _cut.Client.Received[9][3]]);

        _cut.Client.ExpectNothing(seconds: 100);
        _cut.Server.Lane.DeadlineCount.Should().Be(0);
    }

    [Fact]
    [Trait("RFC", "9175 2.4")]
    public void An_address_that_may_be_forged_gets_one_message_for_each_of_its_own()
    {
        Use(new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } });
        _cut.Client.Send("NON [0x01] GET /large (Token 0xc0) {31: 0x08}");
        _cut.Client.Expect(Block("a", "0xc0", 0));
        _cut.Client.ExpectNothing(seconds: 1);
        _cut.Client.Send("NON [0x02] GET /large (Token 0xc1) {31: 0x18}");
        _cut.Client.Expect(Block("b", "0xc1", 1));

        _cut.Client.ExpectNothing(seconds: 100);
    }

    private static string ETagOf(byte[] message) =>
        Hex.Text(WireMessage.Read(message).Options.Single(static option => option.Number == 4).Value);
}
