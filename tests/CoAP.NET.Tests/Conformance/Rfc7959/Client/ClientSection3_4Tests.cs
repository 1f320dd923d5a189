namespace CoAP.Tests.Conformance;

/// <summary>The flows of RFC 7959, section 3.4: notifications in blocks, with our client in them.</summary>
public sealed class ClientSection3_4Tests : ObserverUnderTest
{
    private static readonly string Icon = string.Concat(Enumerable.Range(0, 100).Select(i => $"{i:d3}"))[..300];

    //   CLIENT  SERVER
    //     +----->|     GET 0x41011636, Token 0xfb, /status-icon, Observe: (empty)
    //     |<-----+     2.05 0x61451636, Token 0xfb, Block2: 0/1/128, Observe: 62350, ETag: 6f00f38e
    //     |      |     (Usual GET transfer left out)
    //     |<-----+     2.05 0x4145af9c, Token 0xfb, Block2: 0/1/128, Observe: 62354, ETag: 6f00f392
    //     +- - ->|     0x6000af9c
    //     +----->|     GET 0x41011637, Token 0xfc, /status-icon, Block2: 1/0/128
    //     |<-----+     2.05 0x61451637, Token 0xfc, Block2: 1/1/128, ETag: 6f00f392
    //     +----->|     GET 0x41011638, Token 0xfc, /status-icon, Block2: 2/0/128
    //     |<-----+     2.05 0x61451638, Token 0xfc, Block2: 2/0/128, ETag: 6f00f392, 53 bytes
    // Requests after the first one have tokens of their own each.
    [Fact, Trait("RFC", "7959 3.4"), Trait("RFC", "7959 2.6")]
    public void Figure_12_Observe_sequence_with_block_wise_response()
    {
        var observation = Observe("/status-icon");

        Server.Expect("CON [A] GET /status-icon (Token T) {Observe: 0}");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{ETag: 0x6f00f38e, Observe: 62350, Block2: 0/1/128}} '{Icon[..128]}'");
        Rest(1, "0x6f00f38e");
        Server.Send($"CON [0xaf9c] 2.05 Content (Token T) {{ETag: 0x6f00f392, Observe: 62354, Block2: 0/1/128}} '{Icon[..128]}'");
        Server.Expect("ACK [0xaf9c]");
        Rest(2, "0x6f00f392");

        Take(observation).Should().BeEquivalentTo(new { Sequence = 62350u, Response = new { PayloadText = Icon } });
        Take(observation).Should().BeEquivalentTo(new { Sequence = 62354u, Response = new { PayloadText = Icon } });
    }

    //   CLIENT  SERVER
    //     |<-----+     2.05, Observe: 62350, Block2: 0/1/128
    //     +----->|     GET, Block2: 1/0/128
    //     |<-----+     2.05, Observe: 62354, Block2: 0/1/128: the first one is out of date
    //     +----->|     GET, Block2: 1/0/128
    [Fact, Trait("RFC", "7959 2.6")]
    public void A_newer_notification_takes_the_place_of_one_that_is_still_being_fetched()
    {
        var observation = Observe("/status-icon");
        Server.Expect("CON [A] GET /status-icon (Token T) {Observe: 0}");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{ETag: 0x01, Observe: 1, Block2: 0/1/128}} '{Icon[..128]}'");
        Server.Expect("CON [B] GET /status-icon (Token U) {Block2: 1/0/128}");

        Server.Send($"NON [0xaf9c] 2.05 Content (Token T) {{ETag: 0x02, Observe: 2, Block2: 0/1/128}} '{Icon[..128]}'");
        Rest(2, "0x02");

        Take(observation)!.Sequence.Should().Be(2);
        Take(observation).Should().BeNull();
    }

    [Fact, Trait("RFC", "7959 2.6")]
    public void Blocks_of_two_representations_are_not_put_together()
    {
        var observation = Observe("/status-icon");
        Server.Expect("CON [A] GET /status-icon (Token T) {Observe: 0}");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{ETag: 0x01, Observe: 1, Block2: 0/1/128}} '{Icon[..128]}'");
        Server.Expect("CON [B] GET /status-icon (Token U) {Block2: 1/0/128}");

        Server.Send($"ACK [B] 2.05 Content (Token U) {{ETag: 0x02, Block2: 1/0/128}} '{Icon[128..200]}'");
        Server.Expect("CON [C] GET /status-icon (Token V)");
        Server.Send("ACK [C] 2.05 Content (Token V) {ETag: 0x02} 'the second'");
        Server.ExpectNothing(seconds: 0);

        Next(observation).Should().Be("the second");
        Next(observation).Should().BeNull();
    }

    [Fact, Trait("RFC", "7959 2.6")]
    public void A_resource_that_cannot_be_observed_is_fetched_as_a_whole_before_the_observation_ends()
    {
        var observation = Observe("/status-icon");
        Server.Expect("CON [A] GET /status-icon (Token T) {Observe: 0}");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{ETag: 0x01, Block2: 0/1/128}} '{Icon[..128]}'");
        Rest(1, "0x01");

        Server.ExpectNothing(seconds: 600);
        Next(observation).Should().Be(Icon);
        observation.State.Should().Be(ObservationState.Ended);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Fact, Trait("RFC", "7959 2.6")]
    public void Leaving_while_the_rest_is_fetched_leaves_nothing_behind()
    {
        var observation = Observe("/status-icon");
        Server.Expect("CON [A] GET /status-icon (Token T) {Observe: 0}");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{Observe: 1, Block2: 0/1/128}} '{Icon[..128]}'");
        Server.Expect("CON [B] GET /status-icon (Token U) {Block2: 1/0/128}");

        Leave(observation);
        Server.TakeAll(seconds: 1200);

        Client.Leftovers.Should().Be(NothingLeft);
    }

    private void Rest(int run, string etag)
    {
        Server.Expect($"CON [B{run}] GET /status-icon (Token U{run}) {{Block2: 1/0/128}}");
        Server.Send($"ACK [B{run}] 2.05 Content (Token U{run}) {{ETag: {etag}, Block2: 1/1/128}} '{Icon[128..256]}'");
        Server.Expect($"CON [C{run}] GET /status-icon (Token V{run}) {{Block2: 2/0/128}}");
        Server.Send($"ACK [C{run}] 2.05 Content (Token V{run}) {{ETag: {etag}, Block2: 2/0/128}} '{Icon[256..]}'");
        Wire.RunFor(TimeSpan.Zero);
    }
}
