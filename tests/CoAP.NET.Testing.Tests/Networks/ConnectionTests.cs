namespace CoAP.Testing.Tests.Networks;

public class ConnectionTests
{
    [Fact]
    public async Task A_partition_holds_the_bytes_of_a_connection_back_until_it_heals()
    {
        await using var home = new Home();
        home.World.Run(home.Client.GetAsync("coap+tcp://device/hello"));
        home.World.Partition("client", "device");
        var call = home.Client.GetAsync("coap+tcp://device/hello").AsTask();
        home.World.RunFor(TimeSpan.FromSeconds(10));
        call.IsCompleted.Should().BeFalse();

        home.World.Heal();

        home.World.Run(call).PayloadText.Should().Be("Hello!");
    }

    [Fact]
    public async Task A_cut_connection_fails_its_request_and_the_next_one_opens_another()
    {
        await using var home = new Home();
        EndConnection(home);

        home.World.Run(home.Client.GetAsync("coap+tcp://device/hello")).PayloadText.Should().Be("Hello!");
    }

    [Fact]
    public async Task The_wait_before_the_next_connection_is_simulated_like_all_others()
    {
        await using var home = new Home();
        EndConnection(home);

        var call = home.Client.GetAsync("coap+tcp://device/hello").AsTask();
        home.World.RunFor(TimeSpan.FromSeconds(1));

        call.IsCompletedSuccessfully.Should().BeTrue();
    }

    [Fact]
    public async Task A_blocking_call_runs_the_network_while_it_waits_for_the_next_connection()
    {
        await using var home = new Home();
        EndConnection(home);

        home.Client.Get("coap+tcp://device/hello").PayloadText.Should().Be("Hello!");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_request_goes_to_a_new_connection_if_the_old_one_breaks_before_its_first_byte(bool isBlocking)
    {
        await using var home = new Home();
        home.World.Run(home.Client.GetAsync("coap+tcp://device/hello"));
        home.World.Cut("client", "device");     // the client learns of it by its next write

        var call = isBlocking ? new(home.Client.Get("coap+tcp://device/hello")) : home.Client.GetAsync("coap+tcp://device/hello");

        home.World.Run(call).PayloadText.Should().Be("Hello!");
    }

    [Fact]
    public async Task A_request_is_not_repeated_if_its_first_byte_has_left()
    {
        var count = 0;
        await using var home = new Home(resources => resources.At("count").Post((_, _) => new(Response.Content($"{++count}"))));
        home.World.Run(home.Client.GetAsync("coap+tcp://device/hello"));
        home.World.Partition("client", "device");
        var call = home.Client.PostAsync("coap+tcp://device/count", "").AsTask();
        home.World.RunFor(TimeSpan.FromMilliseconds(1));

        home.World.Cut("client", "device");
        home.World.Heal();

        home.World.Invoking(world => world.Run(call)).Should().Throw<CoapTransportException>();
        count.Should().BeLessThan(2);
    }

    [Fact]
    public async Task A_request_is_not_repeated_if_only_its_next_block_is_unsent()
    {
        var count = 0;
        await using var home = new Home(resources => resources.At("large").Post((_, _) => new(Response.Content($"{++count}".PadLeft(5000)))));
        var settings = new CoapClientSettings { Stream = new() { MaxMessageSize = 2048 } };
        await using var client = new CoapClient(home.World.Place(settings, "small"));
        home.World.Latency = TimeSpan.FromMilliseconds(100);
        var call = client.PostAsync("coap+tcp://device/large", "").AsTask();
        home.World.RunFor(TimeSpan.FromMilliseconds(350));
        count.Should().Be(1);

        home.World.Cut("small", "device");      // the response with the first block arrives afterwards

        home.World.Invoking(world => world.Run(call)).Should().Throw<CoapTransferException>();
        count.Should().Be(1);
    }

    [Fact]
    public async Task A_large_response_takes_its_time_over_a_connection()
    {
        await using var home = new Home(resources => resources.At("large").Get((_, _) => new(Response.Content(new string('x', 300_000)))));
        home.World.Latency = TimeSpan.FromMilliseconds(100);

        home.World.Run(home.Client.GetAsync("coap+tcp://device/large")).Payload.Length.Should().Be(300_000);
    }

    // The connection has served no request, so the next one waits.
    private static void EndConnection(Home home)
    {
        home.Server.Resources.At("never").Get(async (_, cancellationToken) =>
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, home.World.Clock, cancellationToken);
            return Response.Content("never");
        });
        var call = home.Client.GetAsync("coap+tcp://device/never").AsTask();
        home.World.RunFor(TimeSpan.FromSeconds(1));
        home.World.Cut("client", "device");
        home.World.Invoking(world => world.Run(call)).Should().Throw<CoapTransportException>();
    }
}
