
namespace CoAP.Tests.Conformance;

/// <summary>Fresh requests: the Echo option as our server asks for it (RFC 9175, section 2.3).</summary>
public sealed class Rfc9175Section2_3Tests : UnverifiedClient
{
    // Client   Server
    //    |       |
    //    +------>|        Code: 0.03 (PUT)
    //    |  PUT  |       Token: 0x41
    //    |       |    Uri-Path: lock
    //    |       |     Payload: 0 (Unlock)
    //    |       |
    //    |<------+        Code: 4.01 (Unauthorized)
    //    |  4.01 |       Token: 0x41
    //    |       |        Echo: 0x00000009437468756c687521 (t0 = 9, +MAC)
    //    |       |
    //    | ...   | The round trips take 1 second, time is now t1 = 10.
    //    |       |
    //    +------>|        Code: 0.03 (PUT)
    //    |  PUT  |       Token: 0x42
    //    |       |    Uri-Path: lock
    //    |       |        Echo: 0x00000009437468756c687521 (t0 = 9, +MAC)
    //    |       |     Payload: 0 (Unlock)
    //    |       |
    //    |       | Verify MAC, compare t1 - t0 = 1 < T => permitted.
    //    |       |
    //    |<------+        Code: 2.04 (Changed)
    //    |  2.04 |       Token: 0x42
    [Theory, Trait("RFC", "9175 2.3")]
    [InlineData("CON", "ACK"), InlineData("NON", "NON")]
    public void A_request_is_handled_once_it_shows_a_fresh_echo(string request, string answer)
    {
        Client.Send($"{request} [0x0001] PUT /lock (Token 0x41) '0'");
        Client.Expect($"{answer} [{(request == "CON" ? "0x0001" : "A")}] 4.01 Unauthorized (Token 0x41) {{Max-Age: 0, Echo: E}}");
        Lock.Should().BeEmpty();
        Client.ExpectNothing(seconds: 1);

        Client.Send($"{request} [0x0002] PUT /lock (Token 0x42) {{Echo: E}} '0'");
        Client.Expect($"{answer} [{(request == "CON" ? "0x0002" : "B")}] 2.04 Changed (Token 0x42)");

        Lock.Should().Equal("0");
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void The_same_echo_is_good_for_several_requests_until_it_is_too_old()
    {
        Client.Send("CON [0x0001] PUT /lock (Token 0x41) 'a'");
        Client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x41) {Max-Age: 0, Echo: E}");
        Client.Send("CON [0x0002] PUT /lock (Token 0x42) {Echo: E} 'a'");
        Client.Expect("ACK [0x0002] 2.04 Changed (Token 0x42)");
        Client.ExpectNothing(seconds: 10);

        Client.Send("CON [0x0003] PUT /lock (Token 0x43) {Echo: E} 'b'");
        Client.Expect("ACK [0x0003] 2.04 Changed (Token 0x43)");
        Client.ExpectNothing(seconds: 0.001);
        Client.Send("CON [0x0004] PUT /lock (Token 0x44) {Echo: E} 'c'");
        Client.Expect("ACK [0x0004] 4.01 Unauthorized (Token 0x44) {Max-Age: 0, Echo: F}");

        Lock.Should().Equal("a", "b");
    }

    [Theory, Trait("RFC", "9175 2.3"), Trait("RFC", "9175 2.2.1")]
    [InlineData("0x00000009437468756c687521"), InlineData("0x05"), InlineData("0x"), InlineData("0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000")]
    public void A_forged_echo_is_answered_with_a_new_one(string echo)
    {
        Client.Send($"CON [0x0001] PUT /lock (Token 0x41) {{252: {echo}}} '0'");

        Client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x41) {Max-Age: 0, Echo: E}");

        Lock.Should().BeEmpty();
    }

    [Fact, Trait("RFC", "9175 A")]
    public void The_echo_of_another_address_is_worth_nothing()
    {
        using var thief = ScriptedPeer.Client(Wire, "thief");
        Client.Send("CON [0x0001] PUT /lock (Token 0x41) '0'");
        Client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x41) {Max-Age: 0, Echo: E}");
        var echo = CoAP.TestSupport.Hex.Text(Client.LastBytes.AsSpan()[^12..]);

        thief.Send($"CON [0x0001] PUT /lock (Token 0x41) {{Echo: 0x{echo}}} '0'");
        thief.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x41) {Max-Age: 0, Echo: E}");

        Lock.Should().BeEmpty();
    }

    // Client              Server
    //    | PUT 1:0/1/16       |
    //    +------------------->|  nothing is kept of the block
    //    | 4.01 (Echo)        |
    //    |<-------------------+
    //    | PUT 1:0/1/16, Echo |
    //    +------------------->|
    //    | 2.31 1:0/1/16      |
    //    |<-------------------+
    //    | PUT 1:1/0/16, Echo |
    //    +------------------->|
    //    | 2.04 1:1/0/16      |
    //    |<-------------------+
    [Fact, Trait("RFC", "9175 2.3"), Trait("RFC", "7959 2.5")]
    public void Each_block_of_a_body_has_to_be_fresh()
    {
        Client.Send("CON [0x0001] PUT /lock (Token 0x41) {Block1: 0/1/16} '0123456789abcdef'");
        Client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x41) {Max-Age: 0, Echo: E}");
        Client.Send("CON [0x0002] PUT /lock (Token 0x42) {Block1: 0/1/16, Echo: E} '0123456789abcdef'");
        Client.Expect("ACK [0x0002] 2.31 Continue (Token 0x42) {Block1: 0/1/16}");
        Client.Send("CON [0x0003] PUT /lock (Token 0x43) {Block1: 1/0/16} 'gh'");
        Client.Expect("ACK [0x0003] 4.01 Unauthorized (Token 0x43) {Max-Age: 0, Echo: F}");
        Client.Send("CON [0x0004] PUT /lock (Token 0x44) {Block1: 1/0/16, Echo: F} 'gh'");

        Client.Expect("ACK [0x0004] 2.04 Changed (Token 0x44) {Block1: 1/0/16}");

        Lock.Should().Equal("0123456789abcdefgh");
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public void An_echo_that_nobody_asked_for_is_ignored()
    {
        Client.Send("CON [0x0001] GET /of/4 (Token 0x41) {Echo: 0x01020304}");

        Client.Expect("ACK [0x0001] 2.05 Content (Token 0x41) '\0\0\0\0'");
    }
}
