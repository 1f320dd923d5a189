using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Message flows of groups (RFC 10020): discovery by multicast, lights that are switched together, and what gets no answer.</summary>
public sealed class Rfc10020Tests : GroupUnderTest
{
    // Client                       All CoAP Nodes             A                   B
    //    | NON [0xfc01] GET /.well-known/core?rt=lamp         |                   |
    //    +-------------------------------->|----------------->|------------------>|
    //    | NON [X] 2.05 </light>;rt="lamp"                    |                   |
    //    |<---------------------------------------------------+                   |
    //    | NON [Y] 2.05 </light>;rt="lamp"                                        |
    //    |<-----------------------------------------------------------------------+
    [Fact, Trait("RFC", "10020 2.2.3"), Trait("RFC", "6690 1.2.1")]
    public void A_client_finds_the_members_with_a_resource_type()
    {
        Join("a", AtOnce);
        Join("b", AtOnce);

        Client.Send("NON [0xfc01] GET /.well-known/core?rt=lamp (Token 0x71)");

        Client.Expect("NON [X] 2.05 Content (Token 0x71) {Content-Format: 40} '</light>;rt=\"lamp\"'", at: 0);
        Client.Expect("NON [Y] 2.05 Content (Token 0x71) {Content-Format: 40} '</light>;rt=\"lamp\"'", at: 0);
        Client.ExpectNothing(seconds: 600);
    }

    // Client              Group               A                   B
    //    | NON [0xfc01] PUT /light (Token 0x71) "on"              |
    //    +------------------->|------------------>|-------------->|     both switch
    //    | NON [X] 2.04 (Token 0x71)              |               |
    //    |<---------------------------------------+---------------+     from each
    //    | NON [0xfc02] PUT /light (Token 0x71) "on"              |     once more, for members that did not hear it
    //    +------------------->|------------------>|-------------->|
    [Fact, Trait("RFC", "10020 3.1.3")]
    public void Lights_switch_together_and_a_repeated_request_with_another_message_ID_is_handled_again()
    {
        Join("a", AtOnce);
        Join("b", AtOnce);

        Client.Send("NON [0xfc01] PUT /light (Token 0x71) 'on'");
        Client.TakeAll(seconds: 1);
        Client.TalkTo(Group);
        Client.Send("NON [0xfc02] PUT /light (Token 0x71) 'on'");
        Client.TakeAll(seconds: 1);

        Client.Received.Should().HaveCount(4).And.OnlyContain(message => message[1] == 0x44, "0x44 is 2.04");
        Calls.Should().Be(4);
    }

    // Client              Group               A                   B
    //    | NON [0xfc01] PUT /light (Token 0x71) {No-Response: 26} "on"
    //    +------------------->|------------------>|-------------->|     both switch, nobody answers
    [Fact, Trait("RFC", "10020 3.1.2"), Trait("RFC", "7967 2.1")]
    public void A_client_that_wants_no_answers_gets_none()
    {
        Join("a", AtOnce);
        Join("b", AtOnce);

        Client.SendBytes("51 03 fc01 71 b5 6c69676874 d1ea 1a ff 6f6e");      // PUT /light, option 258 = 26, "on"

        Client.ExpectNothing(seconds: 600);
        Calls.Should().Be(2);
    }

    // Client              Group               A            B (lost)
    //    +------------------->|------------------>|        X |
    //    |<---------------------------------------+          |
    [Fact, Trait("RFC", "10020 3.1.1")]
    public void A_member_that_did_not_hear_the_request_is_not_waited_for_by_the_others()
    {
        Join("server", AtOnce);
        Join("b", AtOnce);
        Wire.Drop(Direction.ToServer, nth: 1);

        Client.Send("NON [0xfc01] GET /temperature (Token 0x71)");

        Client.Expect("NON [X] 2.05 Content (Token 0x71) '22.3 C at b'", at: 0);
        Client.ExpectNothing(seconds: 600);
    }

    [Fact, Trait("RFC", "7252 8")]
    public void A_server_that_has_joined_nothing_hears_nothing()
    {
        Join("a", AtOnce);
        Join("b", new CoapServerSettings());

        Client.Send("NON [0xfc01] GET /temperature (Token 0x71)");

        Client.Expect("NON [X] 2.05 Content (Token 0x71) '22.3 C at a'", at: 0);
        Client.ExpectNothing(seconds: 600);
    }
}
