namespace CoAP.Testing.Tests.Networks;

public class SimulatedNetworkTests
{
    [Fact]
    public async Task A_blocking_call_runs_the_network_itself()
    {
        await using var home = new Home();

        home.Client.Get("coap://device/hello").PayloadText.Should().Be("Hello!");
    }

    [Fact]
    public async Task A_call_completes_when_the_network_is_idle()
    {
        await using var home = new Home();
        var call = home.Client.GetAsync("coap://device/hello").AsTask();

        call.IsCompleted.Should().BeFalse();
        home.World.RunUntilIdle();

        call.IsCompletedSuccessfully.Should().BeTrue();
        (await call).PayloadText.Should().Be("Hello!");
    }

    [Fact]
    public async Task A_call_without_a_result_is_run_to_its_end()
    {
        await using var home = new Home();

        home.World.Run(WaitAsync());

        home.World.Clock.Elapsed.Should().Be(TimeSpan.FromSeconds(3));

        async ValueTask WaitAsync() => await Task.Delay(TimeSpan.FromSeconds(3), home.World.Clock);
    }

    [Theory]
    [InlineData("coap")]
    [InlineData("coap+tcp")]
    public async Task Latency_takes_simulated_time_in_both_directions(string scheme)
    {
        await using var home = new Home();
        home.World.Latency = TimeSpan.FromSeconds(0.4);

        home.World.Run(home.Client.GetAsync($"{scheme}://device/hello")).PayloadText.Should().Be("Hello!");

        home.World.Clock.Elapsed.Should().BeGreaterThanOrEqualTo(TimeSpan.FromSeconds(0.8)).And.BeLessThan(TimeSpan.FromSeconds(3));
    }

    [Fact]
    public async Task A_call_across_a_partition_fails_after_the_simulated_time()
    {
        await using var home = new Home();
        home.World.Partition("client", "device");

        var call = () => home.World.Run(home.Client.GetAsync("coap://device/hello"));

        call.Should().Throw<CoapTimeoutException>();
        home.World.Clock.Elapsed.Should().BeCloseTo(TimeSpan.FromSeconds(77), TimeSpan.FromSeconds(17));
        home.World.Counters.Should().Be(new NetworkCounters(Sent: 5, Lost: 5, Repeated: 0));
    }

    [Fact]
    public async Task A_healed_partition_lets_the_retransmission_through()
    {
        await using var home = new Home();
        home.World.Partition("client", "device");
        var call = home.Client.GetAsync("coap://device/hello").AsTask();
        home.World.RunFor(TimeSpan.FromSeconds(1));

        home.World.Heal("client", "device");

        home.World.Run(call).PayloadText.Should().Be("Hello!");
        home.World.Transcript.Between("client", "device").Should().HaveCount(2);
    }

    [Fact]
    public async Task A_dropped_acknowledgement_is_sent_again()
    {
        await using var home = new Home();
        home.World.Drop("device", "client");

        home.World.Run(home.Client.GetAsync("coap://device/hello")).PayloadText.Should().Be("Hello!");

        home.World.Transcript.Select(entry => (entry.From, entry.IsLost)).Should().Equal(("client", false), ("device", true), ("client", false), ("device", false));
    }

    [Fact]
    public async Task A_duplicate_is_answered_without_a_second_call_of_the_handler()
    {
        var calls = 0;
        await using var home = new Home(resources => resources.At("counter").Post((_, _) =>
        {
            calls++;
            return new(Response.Changed);
        }));
        home.World.Duplication = 1;

        home.World.Run(home.Client.PostAsync("coap://device/counter", "")).Code.Should().Be(ResponseCode.Changed);
        home.World.RunUntilIdle();

        calls.Should().Be(1);
    }

    [Theory]
    [InlineData(HandlerMode.Inline)]
    [InlineData(HandlerMode.Buffered)]
    public async Task A_handler_waits_in_simulated_time(HandlerMode mode)
    {
        await using var home = new Home();
        home.Server.Resources.At("slow").Get(
            async (_, cancellationToken) =>
            {
                await Task.Delay(TimeSpan.FromSeconds(30), home.World.Clock, cancellationToken);
                return Response.Content("late");
            },
            mode);

        home.World.Run(home.Client.GetAsync("coap://device/slow")).PayloadText.Should().Be("late");

        home.World.Clock.Elapsed.Should().Be(TimeSpan.FromSeconds(30));
    }

    [Fact]
    public async Task The_clock_waits_for_a_handler_that_has_left_the_simulation()
    {
        await using var home = new Home();
        var isFree = new ManualResetEventSlim();
        home.World.Patience = TimeSpan.FromMinutes(1);
        home.Server.Resources.At("away").Get(async (_, _) =>
        {
            await Task.Run(isFree.Wait, CancellationToken.None);
            return Response.Content("back");
        });
        var call = home.Client.GetAsync("coap://device/away").AsTask();
        _ = Task.Run(isFree.Set);

        home.World.Run(call).PayloadText.Should().Be("back");

        home.World.Clock.Elapsed.Should().Be(TimeSpan.Zero);
    }

    [Fact]
    public async Task A_whole_test_runs_on_the_calling_thread()
    {
        await using var home = new Home();
        var thread = Environment.CurrentManagedThreadId;

        home.World.Run(async () =>
        {
            (await home.Client.GetAsync("coap://device/hello")).PayloadText.Should().Be("Hello!");
            Environment.CurrentManagedThreadId.Should().Be(thread);
            (await home.Client.GetAsync("coap+tcp://device/hello")).PayloadText.Should().Be("Hello!");
            Environment.CurrentManagedThreadId.Should().Be(thread);
        });
    }

    [Fact]
    public void A_wait_that_can_never_end_fails_and_lists_what_is_open()
    {
        var world = new SimulatedNetwork { RealTimeLimit = TimeSpan.Zero };

        var wait = () => world.Run(new TaskCompletionSource().Task);

        wait.Should().Throw<TimeoutException>().WithMessage("Nothing is left to do on the network, and the wait has not ended. Open exchanges: 0.*");
    }
}
