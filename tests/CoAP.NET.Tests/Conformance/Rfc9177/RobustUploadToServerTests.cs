namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Bodies in Q-Block1 requests to our server, and what is refused.</summary>
public sealed class RobustUploadToServerTests : IDisposable
{
    private const string First = "'0123456789abcdef'";

    private RobustServerUnderTest _cut = new();

    public void Dispose() => _cut.Dispose();

    private void Use(CoapServerSettings settings)
    {
        _cut.Dispose();
        _cut = new RobustServerUnderTest(settings);
    }

    private string Left() => _cut.Server.Leftovers;

    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void Without_Request_Tag_or_Size1_it_is_4_00()
    {
        _cut.Client.Send($"NON [0x01] PUT /path (Token 0xc0) {{19: 0x08, Size1: 40}} {First}");
        _cut.Client.Expect("NON [a] 4.00 Bad Request (Token 0xc0) '*'");
        _cut.Client.Send($"NON [0x02] PUT /path (Token 0xc1) {{19: 0x08, 292: 0x09}} {First}");
        _cut.Client.Expect("NON [b] 4.00 Bad Request (Token 0xc1) '*'");
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void Q_Block_and_Block_in_one_request_are_4_02()
    {
        _cut.Client.Send($"CON [0x01] PUT /path (Token 0xc0) {{19: 0x08, 27: 0x08, Size1: 40, 292: 0x09}} {First}");

        _cut.Client.Expect("ACK [0x01] 4.02 Bad Option (Token 0xc0) '*'");
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void A_server_that_does_not_take_them_answers_4_02_or_Reset()
    {
        Use(new CoapServerSettings { RobustTransfers = new() { AcceptsFromPeers = false } });

        _cut.Client.Send("CON [0x01] GET /large (Token 0xc0) {31: 0x08}");
        _cut.Client.Expect("ACK [0x01] 4.02 Bad Option (Token 0xc0) {Content-Format: 257} '*'");
        _cut.Client.Send("NON [0x02] GET /large (Token 0xc1) {31: 0x08}");
        _cut.Client.Expect("RST [0x02]");
        _cut.Client.Send($"CON [0x03] PUT /path (Token 0xc2) {{19: 0x08, Size1: 40, 292: 0x09}} {First}");
        _cut.Client.Expect("ACK [0x03] 4.02 Bad Option (Token 0xc2) {Content-Format: 257} '*'");
    }

    [Fact]
    [Trait("RFC", "9177 4.1"), Trait("RFC", "7252 5.4.5")]
    public void A_second_Q_Block1_in_a_request_is_4_02()
    {
        _cut.Client.Send($"CON [0x01] PUT /path (Token 0xc0) {{19: 0x08, 19: 0x18, Size1: 40, 292: 0x09}} {First}");

        _cut.Client.Expect("ACK [0x01] 4.02 Bad Option (Token 0xc0) {Content-Format: 257} '*'");
    }

    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void A_body_over_the_limit_is_4_13_with_the_limit()
    {
        Use(new CoapServerSettings { ServerTransfers = new() { MaxBodySize = 39 } });

        _cut.Client.Send($"NON [0x01] PUT /path (Token 0xc0) {{19: 0x08, Size1: 40, 292: 0x09}} {First}");

        _cut.Client.Expect("NON [a] 4.13 Request Entity Too Large (Token 0xc0) {Size1: 39} '*'");
        Left().Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact]
    public void A_peer_that_sends_too_many_bodies_gets_5_03_with_Max_Age()
    {
        Use(new CoapServerSettings { ServerTransfers = new() { MaxBodiesPerPeer = 1 } });

        _cut.Client.Send($"NON [0x01] PUT /path (Token 0xc0) {{19: 0x08, Size1: 40, 292: 0x01}} {First}");
        _cut.Client.Send($"NON [0x02] PUT /path (Token 0xc1) {{19: 0x08, Size1: 40, 292: 0x02}} {First}");

        _cut.Client.Expect("NON [a] 5.03 Service Unavailable (Token 0xc1) {Max-Age: 4}");
    }

    // Client      Server
    //   +--------->| NON PUT /path M:0x02 T:0xc1 RT=9 QB1:2/0/16
    //   +--------->| NON PUT /path M:0x01 T:0xc0 RT=9 QB1:0/1/16
    //   |   ...    | [[NON_RECEIVE_TIMEOUT]]
    //   |<---------+ NON 4.08 T:0xc0 [Missing 1]
    //   +--------->| NON PUT /path M:0x03 T:0xc2 RT=9 QB1:1/1/16
    //   |<---------+ NON 2.04 T:0xc2
    //   +--------->| NON PUT /path M:0x04 T:0xc3 RT=9 QB1:2/0/16    [[again, because the 2.04 was lost]]
    //   |<---------+ NON 2.04 T:0xc3
    [Fact]
    [Trait("RFC", "9177 4.3")]
    [Trait("RFC", "9177 5")]
    public void Missing_blocks_are_requested_and_a_repeated_block_gets_the_same_answer()
    {
        _cut.Client.Send("NON [0x02] PUT /path (Token 0xc1) {19: 0x20, Size1: 40, 292: 0x09} 'the end.'");
        _cut.Client.Send($"NON [0x01] PUT /path (Token 0xc0) {{19: 0x08, Size1: 40, 292: 0x09}} {First}");
        _cut.Client.Expect("NON [a] 4.08 Request Entity Incomplete (Token 0xc0) {Content-Format: 272} '\u0001'", at: 4.04);
        _cut.Client.Send($"NON [0x03] PUT /path (Token 0xc2) {{19: 0x18, Size1: 40, 292: 0x09}} {First}");
        _cut.Client.Expect("NON [b] 2.04 Changed (Token 0xc2)");
        _cut.Client.Send("NON [0x04] PUT /path (Token 0xc3) {19: 0x20, Size1: 40, 292: 0x09} 'the end.'");
        _cut.Client.Expect("NON [c] 2.04 Changed (Token 0xc3)");

        _cut.Bodies.Should().Equal("0123456789abcdef0123456789abcdefthe end.");
        _cut.Client.ExpectNothing(seconds: 600);
        Left().Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void A_Reset_of_a_4_08_ends_the_body()
    {
        _cut.Client.Send($"NON [0x01] PUT /path (Token 0xc0) {{19: 0x08, Size1: 40, 292: 0x09}} {First}");
        _cut.Client.Expect("NON [a] 4.08 Request Entity Incomplete (Token 0xc0) {Content-Format: 272} '\u0001\u0002'");
        _cut.Client.Send("RST [a]");

        _cut.Client.ExpectNothing(seconds: 200);
        Left().Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void Confirmable_blocks_are_acknowledged_and_the_last_one_answered()
    {
        _cut.Client.Send($"CON [0x01] PUT /path (Token 0xc0) {{19: 0x08, Size1: 20, 292: 0x09}} {First}");
        _cut.Client.Expect("ACK [0x01]");
        _cut.Client.Send("CON [0x02] PUT /path (Token 0xc1) {19: 0x10, Size1: 20, 292: 0x09} 'end.'");
        _cut.Client.Expect("ACK [0x02] 2.04 Changed (Token 0xc1)");

        _cut.Bodies.Should().Equal("0123456789abcdefend.");
    }

    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void Bodies_with_different_tags_are_collected_side_by_side()
    {
        _cut.Client.Send("NON [0x01] PUT /path (Token 0xc0) {19: 0x08, Size1: 17, 292: 0x01} 'aaaaaaaaaaaaaaaa'");
        _cut.Client.Send("NON [0x02] PUT /path (Token 0xc1) {19: 0x08, Size1: 17, 292: 0x02} 'bbbbbbbbbbbbbbbb'");
        _cut.Client.Send("NON [0x03] PUT /path (Token 0xc2) {19: 0x10, Size1: 17, 292: 0x01} 'A'");
        _cut.Client.Expect("NON [a] 2.04 Changed (Token 0xc2)");
        _cut.Client.Send("NON [0x04] PUT /path (Token 0xc3) {19: 0x10, Size1: 17, 292: 0x02} 'B'");
        _cut.Client.Expect("NON [b] 2.04 Changed (Token 0xc3)");

        _cut.Bodies.Should().Equal("aaaaaaaaaaaaaaaaA", "bbbbbbbbbbbbbbbbB");
    }
}
