namespace CoAP.Tests.Hostile;

/// <summary>A few forged requests to a handler that blocks, so that the one thread of all unverified addresses is never free (DESIGN: slow is as dangerous as fast).</summary>
public sealed class SlowForgeryTests : HeldThreadScene
{
    public SlowForgeryTests()
        : base(new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } }, holder: "forged") => Hold();

    // Guest               Server                Forged
    //    |                   | <--- GET /slow -----+   blocks the thread of all unverified addresses
    //    | GET /slow         |
    //    +------------------>|
    //    |  4.01, Echo       |   after 250 ms, though only one request waits
    //    |<------------------+
    //    | GET /slow, Echo   |
    //    +------------------>|
    //    |  2.05             |   on a thread of its own account
    //    |<------------------+
    [Theory, Trait("RFC", "9175 2.4")]
    [InlineData("CON", "ACK"), InlineData("NON", "NON")]
    public void A_request_that_waits_too_long_is_challenged(string type, string reply)
    {
        Guest.Send($"{type} [0x0001] GET /slow (Token 0x01)");
        Guest.Expect($"{reply} [{(type == "CON" ? "0x0001" : "M")}] 4.01 (Token 0x01) {{Max-Age: 0, Echo: E}}", at: 0.25);
        Guest.Send($"{type} [0x0002] GET /slow (Token 0x02) {{Echo: E}}");

        RunUntilAnswered(Guest);
        Served.Should().Equal("guest");
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void While_the_first_of_the_queue_waits_too_long_the_next_ones_are_challenged_at_once()
    {
        Guest.Send("NON [0x0001] GET /slow (Token 0x01)");
        Guest.Expect("NON [M] 4.01 (Token 0x01) {Max-Age: 0, Echo: E}", at: 0.25);

        using var next = ScriptedPeer.Client(Wire, "next");
        next.Send("NON [0x0001] GET /slow (Token 0x01)");

        next.Expect("NON [N] 4.01 (Token 0x01) {Max-Age: 0, Echo: F}", at: 0.25);
        Served.Should().BeEmpty();
    }

    [Fact]
    public void A_request_that_was_challenged_is_not_handled_when_its_turn_comes()
    {
        Guest.Send("NON [0x0001] GET /slow (Token 0x01)");
        Guest.Expect("NON [M] 4.01 (Token 0x01) {Max-Age: 0, Echo: E}", at: 0.25);

        Release();

        RunUntilAnswered(Holder);
        Served.Should().Equal("forged");
    }
}
