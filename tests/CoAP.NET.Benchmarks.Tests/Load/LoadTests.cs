using System.Net;
using System.Net.Sockets;

namespace CoAP.Benchmarks.Load.Tests;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class LoadTests
{
    [Fact]
    public void Every_request_over_UDP_is_answered_and_nothing_is_allocated()
    {
        using var socket = Serve();

        var result = Load.Run(Settings(socket));

        (result.Tally.Good > 0, result.Tally.Errors, result.Tally.Strays, result.Tally.Lost).Should().Be((true, 0, 0, 0));
        result.GeneratorAllocated.Should().BeLessThan(10_000, "requests cost no memory");
    }

    [Theory]
    [InlineData("Single")]
    [InlineData("Cores")]
    [InlineData("Threads")]
    public void Every_request_over_TCP_is_answered_with_its_reversed_payload(string model)
    {
        using var socket = BareService.Bind(isTcp: true, 0);
        new BareTcp(socket, bufferSize: 256).Start(Enum.Parse<ServerModel>(model));
        var settings = Settings(socket) with { IsTcp = true, Sockets = 3, Method = LoadSettings.Post, Payload = [1, 2, 3], Expected = [3, 2, 1] };

        var result = Load.Run(settings);

        (result.Tally.Good > 0, result.Tally.Errors, result.Tally.Strays, result.Tally.Closed).Should().Be((true, 0, 0, 0));
    }

    [Fact]
    public void An_open_loop_sends_what_its_rate_says_and_no_more()
    {
        using var socket = Serve();

        var result = Load.Run(Settings(socket) with { Rate = 500, Limit = long.MaxValue, Duration = TimeSpan.FromSeconds(0.5) });

        var due = result.Tally.Good + result.Tally.Lost + result.Tally.Unsent;
        due.Should().BeCloseTo((long)(500 * result.Time.TotalSeconds), 2);
    }

    [Fact]
    public void A_load_can_be_measured_several_times_and_counts_each_time_anew()
    {
        using var socket = Serve();
        using var load = new Load(Settings(socket) with { Limit = 100 });

        var results = Enumerable.Range(0, 3).Select(_ => load.Measure(TimeSpan.FromSeconds(5)).Tally.Good).ToArray();

        results.Should().OnlyContain(good => good >= 100 && good < 1_000);
    }

    [Fact]
    public void Loads_that_run_together_have_results_of_their_own()
    {
        using var socket = Serve();

        var results = Load.RunTogether(Settings(socket) with { Limit = 100 }, Settings(socket) with { Rate = 200, Duration = TimeSpan.FromSeconds(0.2) });

        results.Should().OnlyContain(result => result.Tally.Good > 0 && result.Failed == 0);
    }

    [Fact]
    public void A_silent_server_loses_every_request()
    {
        // Without the option to share its port, which another test's service could get.
        using var silent = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        // One request at a time: of several, a loaded machine may lose more than the limit at once.
        var settings = Settings(silent) with { Patience = TimeSpan.FromMilliseconds(10), Outstanding = 1, Limit = 4 };

        var result = Load.Run(settings with { Duration = TimeSpan.FromMinutes(1) });

        (result.Tally.Good, result.Tally.Lost).Should().Be((0, 4));
    }

    private static Socket Serve()
    {
        var socket = BareService.Bind(isTcp: false, 0);
        new Thread(() => BareUdp.Run(socket)) { IsBackground = true }.Start();
        return socket;
    }

    private static LoadSettings Settings(Socket server) => new()
    {
        Server = (IPEndPoint)server.LocalEndPoint!,
        Outstanding = 8,
        Sockets = 20,
        WarmUp = TimeSpan.Zero,
        Duration = TimeSpan.FromSeconds(5),
        Limit = 2_000,
    };
}
