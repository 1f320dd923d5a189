namespace CoAP.Tests.Hostile;

/// <summary>
/// A request of an unverified address that waits for a handler thread, but not for another request of such an address (RFC 9175, section
/// 2.4).
/// </summary>
public sealed class LonelyRequestTests() : HeldThreadScene(
    new CoapServerSettings
    {
        HandlerThreads = 1,
        AcknowledgeAfter = TimeSpan.FromSeconds(0.1),
        Amplification = new() { ExemptsLoopback = false },
    },
    holder: "holder")
{
    // Guest               Server                Holder, verified
    //    |                   | <--- GET /slow -----+   has the only thread
    //    | GET /slow         |
    //    +------------------>|
    //    |  ACK              |   after 100 ms
    //    |<------------------+
    //    |  2.05             |   when the thread is free, without a challenge
    //    |<------------------+
    [Fact, Trait("RFC", "9175 2.4")]
    public void It_is_not_challenged()
    {
        Server.Lane.Addresses!.Verify(Holder.Self);
        Hold();

        Guest.Send("CON [0x0001] GET /slow (Token 0x01)");
        Guest.Expect("ACK [0x0001]", at: 0.1);
        Wire.RunFor(TimeSpan.FromSeconds(2));
        Release();

        RunUntilAnswered(Guest);
        CodesTo(Guest).Should().Equal(0x00, 0x45);
    }

    [Fact, Trait("RFC", "9175 2.4"), Trait("RFC", "7252 5.2.2")]
    public void Behind_a_forged_one_it_is_challenged_even_if_it_was_acknowledged_before()
    {
        Hold();

        Guest.Send("CON [0x0001] GET /slow (Token 0x01)");

        Guest.Expect("ACK [0x0001]", at: 0.1);
        Guest.Expect("NON [M] 4.01 (Token 0x01) {Max-Age: 0, Echo: E}", at: 0.25);
    }
}
