using System.Net.Sockets;
using CoAP.Streams;

namespace CoAP.Tests.Streams;

/// <summary>When the next attempt to connect may be made, in figures.</summary>
public sealed class ConnectBackOffTests
{
    private static readonly Exception Refused = new SocketException((int)SocketError.ConnectionRefused);
    private static readonly StreamTarget Server = TargetOf("server");

    [Fact]
    public void The_wait_doubles_from_100_ms_to_30_s()
    {
        var cut = new ConnectBackOff(new());
        var waits = new List<double>();
        long now = 0;
        for (var i = 0; i < 12; i++)
        {
            cut.Failed(Server, Refused, now, chance: 1);
            waits.Add(cut.WaitFor(Server, now)!.Value.Wait.TotalSeconds);
            now += (long)(waits[^1] * TimeSpan.TicksPerSecond);
        }

        waits.Should().Equal(0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30, 30);
    }

    [Theory, InlineData(0, 50), InlineData(0.5, 75), InlineData(1, 100)]
    public void Randomness_spreads_the_wait_over_its_upper_half(double chance, double milliseconds)
    {
        var cut = new ConnectBackOff(new());

        cut.Failed(Server, Refused, at: 7, chance);

        cut.WaitFor(Server, 7)!.Value.Should().Be((TimeSpan.FromMilliseconds(milliseconds), Refused));
        cut.WaitFor(Server, 7 + TimeSpan.FromMilliseconds(milliseconds).Ticks).Should().BeNull();
    }

    [Fact]
    public void A_success_begins_anew()
    {
        var cut = new ConnectBackOff(new());
        for (var i = 0; i < 5; i++) { cut.Failed(Server, Refused, 0, 1); }

        cut.Succeeded(Server);
        cut.Failed(Server, Refused, 0, 1);

        cut.WaitFor(Server, 0)!.Value.Wait.Should().Be(TimeSpan.FromMilliseconds(100));
    }

    [Fact]
    public void A_failure_is_forgotten_after_its_wait_and_the_longest_wait()
    {
        var cut = new ConnectBackOff(new() { InitialDelay = TimeSpan.FromSeconds(1), MaxDelay = TimeSpan.FromSeconds(10) });
        cut.Failed(Server, Refused, 0, 1);

        cut.WaitFor(Server, TimeSpan.FromSeconds(10.9).Ticks).Should().BeNull();
        var before = cut.Count;
        cut.WaitFor(Server, TimeSpan.FromSeconds(11).Ticks).Should().BeNull();

        (before, cut.Count).Should().Be((1, 0));
    }

    [Fact]
    public void No_more_endpoints_are_remembered_than_the_setting_says_and_those_that_are_over_go_first()
    {
        var cut = new ConnectBackOff(new() { MaxRememberedEndpoints = 3 });
        for (var i = 0; i < 100; i++) { cut.Failed(TargetOf($"server-{i}"), Refused, i, 1); }

        var known = Enumerable.Range(0, 100).Where(i => cut.WaitFor(TargetOf($"server-{i}"), 100) is not null);

        known.Should().Equal(97, 98, 99);
        cut.Count.Should().Be(3);
    }

    [Fact]
    public void Endpoints_and_schemes_are_told_apart()
    {
        var cut = new ConnectBackOff(new());

        cut.Failed(Server, Refused, 0, 1);

        cut.WaitFor(TargetOf("other"), 0).Should().BeNull();
        cut.WaitFor(Server with { Scheme = CoapScheme.CoapsTcp }, 0).Should().BeNull();
    }

    private static StreamTarget TargetOf(string name) => StreamTarget.Of(CoapScheme.CoapTcp, PeerIdentity.From(name), "");
}
