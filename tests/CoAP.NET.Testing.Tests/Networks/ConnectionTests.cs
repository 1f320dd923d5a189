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
        home.Server.Resources.At("never").Get(async (_, cancellationToken) =>
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, home.World.Clock, cancellationToken);
            return Response.Content("never");
        });
        var call = home.Client.GetAsync("coap+tcp://device/never").AsTask();
        home.World.RunFor(TimeSpan.FromSeconds(1));

        home.World.Cut("client", "device");

        home.World.Invoking(world => world.Run(call)).Should().Throw<CoapTransportException>();
        home.World.Run(home.Client.GetAsync("coap+tcp://device/hello")).PayloadText.Should().Be("Hello!");
    }

    [Fact]
    public async Task A_large_response_takes_its_time_over_a_connection()
    {
        await using var home = new Home(resources => resources.At("large").Get((_, _) => new(Response.Content(new string('x', 300_000)))));
        home.World.Latency = TimeSpan.FromMilliseconds(100);

        home.World.Run(home.Client.GetAsync("coap+tcp://device/large")).Payload.Length.Should().Be(300_000);
    }
}
