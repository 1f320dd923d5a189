using CoAP.Freshness;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Amplification: what is sent to addresses that may be forged (RFC 9175, section 2.4, item 3).</summary>
public sealed class Rfc9175Section2_4Tests : UnverifiedClient
{
    // Header 4, token 1, payload marker 1: 130 bytes of payload make 136, 131 one too many.
    [Theory, Trait("RFC", "9175 2.4")]
    [InlineData("CON"), InlineData("NON")]
    public void Up_to_136_bytes_are_sent_to_anybody(string type)
    {
        Client.Send($"{type} [0x0001] GET /of/130 (Token 0x41)");

        Client.TakeAll(seconds: 300);

        Client.Received.Should().ContainSingle().Which.Should().HaveCount(136).And.HaveElementAt(1, 0x45);
    }

    // Client              Server
    //    | CON [1] GET /of/131   |
    //    +---------------------->|
    //    | ACK [1] 4.01 (Echo)   |  137 bytes would be too many
    //    |<----------------------+
    //    | CON [2] GET (Echo)    |
    //    +---------------------->|
    //    | ACK [2] 2.05          |
    //    |<----------------------+
    [Theory, Trait("RFC", "9175 2.4"), Trait("RFC", "9175 2.6")]
    [InlineData("CON", "ACK"), InlineData("NON", "NON")]
    public void One_byte_more_is_sent_to_a_verified_address_only(string request, string answer)
    {
        Client.Send($"{request} [0x0001] GET /of/131 (Token 0x41)");
        Client.Expect($"{answer} [{(request == "CON" ? "0x0001" : "A")}] 4.01 Unauthorized (Token 0x41) {{Max-Age: 0, Echo: E}}");

        Client.Send($"{request} [0x0002] GET /of/131 (Token 0x42) {{Echo: E}}");
        Client.Expect($"{answer} [{(request == "CON" ? "0x0002" : "B")}] 2.05 Content (Token 0x42) '*'");

        Client.LastBytes.Should().HaveCount(137);
    }

    // 12 bytes of header, token and path, and 102 of a query that nobody reads: three times that is more than 136.
    [Fact, Trait("RFC", "9175 2.4")]
    public void A_large_request_may_have_three_times_its_size()
    {
        var query = new string('q', 100);
        Client.Send($"CON [0x0001] GET /of/336?{query} (Token 0x41)");
        Client.Expect("ACK [0x0001] 2.05 Content (Token 0x41) '*'");
        Client.LastBytes.Should().HaveCount(3 * 114);

        Client.Send($"CON [0x0002] GET /of/337?{query} (Token 0x42)");
        Client.Expect("ACK [0x0002] 4.01 Unauthorized (Token 0x42) {Max-Age: 0, Echo: E}");
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void An_address_stays_verified_for_five_minutes()
    {
        Client.Send("CON [0x0001] GET /of/500 (Token 0x41)");
        Client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x41) {Max-Age: 0, Echo: E}");
        Client.Send("CON [0x0002] GET /of/500 (Token 0x42) {Echo: E}");
        Client.Expect("ACK [0x0002] 2.05 Content (Token 0x42) '*'");
        Client.ExpectNothing(seconds: 299.999);

        Client.Send("CON [0x0003] GET /of/500 (Token 0x43)");
        Client.Expect("ACK [0x0003] 2.05 Content (Token 0x43) '*'");
        Client.ExpectNothing(seconds: 0.001);
        Client.Send("CON [0x0004] GET /of/500 (Token 0x44) {Echo: E}");

        Client.Expect("ACK [0x0004] 4.01 Unauthorized (Token 0x44) {Max-Age: 0, Echo: F}");
    }

    // Client              Server
    //    | CON [1] POST /log    |
    //    +--------------------->|  the handler has run
    //    | ACK [1] 2.04 2:0/1/64|  the first of the blocks that fit
    //    |<---------------------+
    [Fact, Trait("RFC", "9175 2.4"), Trait("RFC", "7959 2.4")]
    public void The_answer_of_a_handler_that_may_have_changed_something_comes_in_small_blocks()
    {
        Client.Send("CON [0x0001] POST /log (Token 0x41) 'line'");
        Client.TakeAll(seconds: 1);

        var answer = WireMessage.Read(Client.Received.Single());

        answer.Code.Should().Be(0x44);
        answer.Payload.Should().HaveCount(64);
        answer.Options.Single(option => option.Number == 23).Value.Should().Equal(0x0A);
        Posts.Should().Be(1);
    }

    // Options alone that are too large: no block is small enough.
    [Fact, Trait("RFC", "9175 2.4")]
    public void If_no_block_fits_the_answer_is_only_its_code_and_an_Echo()
    {
        Client.Send("CON [0x0001] POST /long (Token 0x41)");
        Client.Expect("ACK [0x0001] 2.01 Created (Token 0x41) {Echo: E}");

        Client.Send("CON [0x0002] POST /long (Token 0x42) {Echo: E}");
        Client.TakeAll(seconds: 1);

        WireMessage.Read(Client.Received.Single()).Options.Should().ContainSingle().Which.Value.Should().HaveCount(200);
    }

    // Client              Server
    //    | CON [1] GET /slow  |
    //    +------------------->|
    //    | ACK [1]            |
    //    |<-------------------+
    //    | CON [X] 2.05       |  five times 27 bytes and the acknowledgement would be 139
    //    |<-------------------+
    [Theory, Trait("RFC", "9175 2.4"), Trait("RFC", "7252 5.2.2")]
    [InlineData(20, 5), InlineData(21, 4), InlineData(38, 3), InlineData(39, 2), InlineData(126, 1)]
    public void A_separate_answer_is_confirmable_and_sent_as_often_as_the_allowance_permits(int length, int transmissions)
    {
        Client.Send("CON [0x0001] GET /slow (Token 0x41)");
        Client.Expect("ACK [0x0001]", at: 0.25);

        Slow.Answer(Payload(ResponseCode.Content, length));
        Client.Expect("CON [X] 2.05 Content (Token 0x41) '*'");
        Client.TakeAll(seconds: 300);

        Client.Received.Should().HaveCount(transmissions - 1);
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void An_echo_in_the_place_of_a_separate_answer_is_not_confirmable()
    {
        Client.Send("CON [0x0001] GET /slow (Token 0x41)");
        Client.Expect("ACK [0x0001]", at: 0.25);

        Slow.Answer(Payload(ResponseCode.Content, 500));
        Client.Expect("NON [X] 4.01 Unauthorized (Token 0x41) {Max-Age: 0, Echo: E}");

        Client.ExpectNothing(seconds: 300);
    }

    // Client              Server
    //    | ACK [1] to ACK [n] |
    //    |<-------------------+
    //    | CON [X] to [X + n] |  as many as the client likes, so that X is not hard to guess
    //    |<-------------------+
    //    | ACK [X]            |
    //    +------------------->|
    //    | CON [n + 1] GET    |
    //    +------------------->|
    //    | ACK [n + 1] 4.01   |
    //    |<-------------------+
    [Theory, Trait("RFC", "9175 2.4")]
    [InlineData("ACK"), InlineData("RST")]
    public void An_acknowledgement_of_a_separate_answer_does_not_verify_the_address(string reply)
    {
        Client.Send("CON [0x0001] GET /slow (Token 0x41)");
        Client.Expect("ACK [0x0001]");
        Slow.Answer(Payload(ResponseCode.Content, 1));
        Client.Expect("CON [X] 2.05 Content (Token 0x41) '\0'");
        Client.Send($"{reply} [X]");

        Client.Send("CON [0x0002] GET /of/500 (Token 0x42)");

        Client.Expect("ACK [0x0002] 4.01 Unauthorized (Token 0x42) {Max-Age: 0, Echo: E}");
    }

    // Whoever repeats somebody's old datagram gets no large answer sent to that address.
    [Fact, Trait("RFC", "9175 2.4"), Trait("RFC", "7252 4.5")]
    public void A_large_answer_is_repeated_only_as_long_as_the_address_is_verified()
    {
        var wire = new Wire(new ManualClock());
        var settings = Settings with { Amplification = new() { ExemptsLoopback = false, VerificationLifetime = TimeSpan.FromSeconds(30) } };
        using var server = LaneEnd.Server(wire, map => map.At("large").Get(_ => Payload(ResponseCode.Content, 500), HandlerMode.Inline), settings);
        using var client = ScriptedPeer.Client(wire);
        client.Send("CON [0x0001] GET /large (Token 0x41)");
        client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x41) {Max-Age: 0, Echo: E}");
        client.Send("CON [0x0002] GET /large (Token 0x42) {Echo: E}");
        client.Expect("ACK [0x0002] 2.05 Content (Token 0x42) '*'");
        var answer = client.LastBytes;
        client.Send("CON [0x0002] GET /large (Token 0x42) {Echo: E}");
        client.ExpectBytes(answer);
        client.ExpectNothing(seconds: 30);

        client.Send("CON [0x0002] GET /large (Token 0x42) {Echo: E}");

        client.ExpectNothing(seconds: 10);
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void An_acknowledgement_of_nothing_verifies_nothing()
    {
        for (var id = 0; id < 100; id++) { Client.Send($"ACK [0x{id:x4}]"); }

        Client.Send("CON [0x0002] GET /of/500 (Token 0x42)");

        Client.Expect("ACK [0x0002] 4.01 Unauthorized (Token 0x42) {Max-Age: 0, Echo: E}");
        ((AddressVerification)Server.Lane.Addresses!).Places.Should().Be(0);
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void Forged_sources_leave_no_state()
    {
        for (var peer = 0; peer < 500; peer++)
        {
            using var victim = ScriptedPeer.Client(Wire, $"victim{peer}");
            victim.Send("NON [0x0001] GET /of/500 (Token 0x41)");
            Wire.RunUntilIdle();
        }

        ((AddressVerification)Server.Lane.Addresses!).Places.Should().Be(0);
        Server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }
}
