using CoAP.Testing;

namespace CoAP.Tests.Hostile;

/// <summary>
/// Servers that answer over datagrams as no server should. Each call ends with a named error within a bounded simulated time, or with a response, and
/// leaves nothing behind. Sync and async callers share everything below the call, so both wait for the same outcome.
/// </summary>
public sealed class MaliciousServerTests
{
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(25);
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    public static TheoryData<string> Names => [.. MaliciousScenarios.All.Select(scenario => scenario.Name)];

    [Fact]
    public void There_are_at_least_40_scenarios() => MaliciousScenarios.All.Should().HaveCountGreaterThanOrEqualTo(40);

    [Theory, MemberData(nameof(Names))]
    public void The_call_ends_in_time_with_a_named_error_or_a_response(string name) => Run(name, RobustMode.Off);

    [Theory, MemberData(nameof(Names))]
    public void The_call_ends_also_if_the_client_tries_robust_transfers(string name) => Run(name, RobustMode.WhenSupported);

    [Theory, MemberData(nameof(Names))]
    public void A_blocked_caller_gets_the_same_end(string name)
    {
        var wire = new Wire(new ManualTime());
        var (_, request, react) = MaliciousScenarios.Of(name);
        using var client = Client(wire, RobustMode.Off);
        using var server = new MaliciousServer(wire, react);
        Exception? error = null;
        var thread = new Thread(() => error = Record.Exception(() => client.ChannelTo(wire.Server).Send(request())));

        thread.Start();
        client.AwaitWork();
        wire.RunFor(Longest);

        thread.Join(Patience).Should().BeTrue("the blocked call has to end");
        if (error is not null) { error.Should().BeAssignableTo<CoapException>(); }
    }

    private static void Run(string name, RobustMode mode)
    {
        var wire = new Wire(new ManualTime());
        var (_, request, react) = MaliciousScenarios.Of(name);
        using var client = Client(wire, mode);
        using var server = new MaliciousServer(wire, react);
        var before = GC.GetAllocatedBytesForCurrentThread();

        var call = client.Send(request());
        wire.RunFor(Longest);

        call.IsCompleted.Should().BeTrue($"the call must not wait for ever; {client.Leftovers}");
        if (call.IsFaulted) { call.Exception!.InnerException.Should().BeAssignableTo<CoapException>(); }
        client.Leftovers.Should().StartWith("0 exchanges, 0 unsettled messages, 0 pending requests");
        (GC.GetAllocatedBytesForCurrentThread() - before).Should().BeLessThan(1L << 30);
    }

    // 1 MiB is enough to show that a body ends at its limit.
    private static LaneEnd Client(Wire wire, RobustMode mode) =>
        LaneEnd.Client(wire, new CoapClientSettings { ClientTransfers = new() { MaxResponseBody = 1 << 20, RobustMode = mode } });
}
