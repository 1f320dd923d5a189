namespace CoAP.Tests.Conformance;

/// <summary>Notifications that overtake each other, come twice or not at all (RFC 7641, section 3.4), and how many a slow reader costs.</summary>
public sealed class ClientReorderingTests : ObserverUnderTest
{
    // Client              Server
    //    | NON 2.05 Observe: 12
    //    |<-------------------+
    //    | NON 2.05 Observe: 11  overtaken: not delivered
    //    |<-------------------+
    //    | CON 2.05 Observe: 10  not delivered either, but acknowledged
    //    |<-------------------+
    //    | ACK                |
    //    +------------------->|
    [Fact, Trait("RFC", "7641 3.4"), Trait("RFC", "7641 3.5")]
    public void An_overtaken_notification_is_acknowledged_and_not_delivered()
    {
        var observation = ObserveTemperature("{Observe: 9, Max-Age: 60}");

        Server.Send("NON [0x0001] 2.05 Content (Token T) {Observe: 12} 'new'");
        Server.Send("NON [0x0002] 2.05 Content (Token T) {Observe: 11} 'old'");
        Server.Send("CON [0x0003] 2.05 Content (Token T) {Observe: 10} 'older'");
        Server.Expect("ACK [0x0003]");

        Next(observation).Should().Be("new");
        Next(observation).Should().BeNull();
    }

    [Fact, Trait("RFC", "7641 3.4"), Trait("RFC", "7252 4.5")]
    public void A_notification_that_comes_twice_is_delivered_once_and_acknowledged_twice()
    {
        var observation = ObserveTemperature();

        Server.Send("CON [0x0001] 2.05 Content (Token T) {Observe: 12} 'new'");
        Server.Expect("ACK [0x0001]");
        Server.Send("CON [0x0001] 2.05 Content (Token T) {Observe: 12} 'new'");
        Server.Expect("ACK [0x0001]");
        Server.Send("NON [0x0002] 2.05 Content (Token T) {Observe: 12} 'new'");
        Server.ExpectNothing(seconds: 1);

        Next(observation).Should().Be("new");
        Next(observation).Should().BeNull();
    }

    [Theory, Trait("RFC", "7641 3.4")]
    [InlineData(0xFFFFFF, 0, true), InlineData(0xFFFFFF, 0x7FFFFE, true), InlineData(0xFFFFFF, 0x7FFFFF, false)]
    [InlineData(5, 0x800004, true), InlineData(5, 0x800005, false), InlineData(0, 0xFFFFFF, false)]
    public void Numbers_wrap_around(int first, int second, bool isNewer)
    {
        var observation = ObserveTemperature($"{{Observe: {first}}}");

        Server.Send($"NON [0x0001] 2.05 Content (Token T) {{Observe: {second}}} 'second'");
        Server.ExpectNothing(seconds: 1);

        (Next(observation) == "second").Should().Be(isNewer);
    }

    [Theory, Trait("RFC", "7641 3.4")]
    [InlineData(128, false), InlineData(128.1, true)]
    public void After_more_than_128_seconds_any_number_is_newer(double seconds, bool isNewer)
    {
        var observation = ObserveTemperature("{Observe: 9, Max-Age: 600}");

        Server.ExpectNothing(seconds);
        Server.Send("NON [0x0001] 2.05 Content (Token T) {Observe: 8, Max-Age: 600} 'second'");
        Server.ExpectNothing(seconds: 1);

        (Next(observation) == "second").Should().Be(isNewer);
    }

    [Fact, Trait("RFC", "7641 3.4")]
    public void A_server_that_was_restarted_may_count_from_the_beginning_in_its_answer_to_the_registration()
    {
        var observation = ObserveTemperature("{Observe: 1000, Max-Age: 15}");

        Server.Expect("CON [Y] GET /temperature (Token T) {Observe: 0}", at: 25);
        Server.Send("ACK [Y] 2.05 Content (Token T) {Observe: 1, Max-Age: 15} 'first'");
        Server.Send("NON [0x0001] 2.05 Content (Token T) {Observe: 2, Max-Age: 15} 'second'");
        Server.ExpectNothing(seconds: 1);

        Next(observation).Should().Be("first");
        Next(observation).Should().Be("second");
    }

    // Client              Server
    //    | CON [Y] GET Observe: 0
    //    +------------------->|
    //    | NON 2.05 Observe: 10  crosses it: delivered, but not its answer
    //    |<-------------------+
    //    | ACK [Y] 2.05 Observe: 11
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 3.3.1")]
    public void A_notification_that_crosses_a_registration_does_not_take_the_place_of_its_answer()
    {
        var observation = ObserveTemperature();

        Server.Expect("CON [Y] GET /temperature (Token T) {Observe: 0}", at: 25);
        Server.Send("NON [0x0001] 2.05 Content (Token T) {Observe: 10} 'crossing'");
        Server.Expect("CON [Y] GET /temperature (Token T) {Observe: 0}", at: 27);
        Server.Send("ACK [Y] 2.05 Content (Token T) {Observe: 11} 'answer'");
        Server.ExpectNothing(seconds: 10);

        Next(observation).Should().Be("crossing");
        Next(observation).Should().Be("answer");
    }

    [Fact]
    public void A_storm_of_notifications_leaves_a_slow_reader_the_newest_ones_and_counts_the_others()
    {
        var observation = ObserveTemperature("{Observe: 0}");

        for (var i = 1; i <= 1000; i++) { Server.Send($"NON [0x{i:x4}] 2.05 Content (Token T) {{Observe: {i}}} '{i}'"); }
        Server.ExpectNothing(seconds: 1);

        var kept = Enumerable.Range(0, 17).Select(_ => Take(observation)).ToList();
        kept.Select(one => one?.Response.PayloadText).Should().Equal([.. Enumerable.Range(985, 16).Select(i => $"{i}"), null]);
        kept[0]!.Skipped.Should().Be(984 - 15, "sixteen stood before it when it came");
        observation.Skipped.Should().Be(984);
    }

    [Fact]
    public void The_newest_notification_alone_is_kept_by_default()
    {
        new ClientObservationSettings().MaxQueuedNotifications.Should().Be(1);
    }
}
