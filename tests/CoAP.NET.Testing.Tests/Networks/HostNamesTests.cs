namespace CoAP.Testing.Tests.Networks;

/// <summary>The names of hosts in conditions.</summary>
public sealed class HostNamesTests
{
    public static TheoryData<string> Calls() => [.. All.Keys];

    private static Dictionary<string, Action<SimulatedNetwork>> All { get; } = new()
    {
        ["Partition"] = world => world.Partition("client", "devise"),
        ["Drop"] = world => world.Drop("devise", "client"),
        ["SetLink"] = world => world.SetLink("client", "devise", new LinkConditions { Loss = 1 }),
        ["Cut"] = world => world.Cut("devise", "client"),
        ["Heal"] = world => world.Heal("client", "devise"),
    };

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task A_name_that_no_endpoint_has_fails_the_next_run_once(string call)
    {
        await using var home = new Home();
        All[call](home.World);

        var run = () => home.World.Run(home.Client.GetAsync("coap://device/hello"));

        run.Should().Throw<InvalidOperationException>().WithMessage(
            $"{call} was called with 'devise', but no endpoint has this name. The names are 'client', 'device'. Correct the name, or place the endpoint before you run the network.");
        run.Should().NotThrow();
    }

    [Fact]
    public async Task Each_kind_of_run_checks_the_names()
    {
        await using var home = new Home();
        Action[] runs = [() => home.World.RunFor(TimeSpan.Zero), home.World.RunUntilIdle, () => home.World.RunUntil(() => true), () => home.Client.Get("coap://device/hello")];

        foreach (var run in runs)
        {
            home.World.Partition("app", "device");
            run.Should().Throw<InvalidOperationException>().WithMessage("Partition was called with 'app', but*");
        }
    }

    [Fact]
    public void An_endpoint_may_come_after_the_call()
    {
        var world = new SimulatedNetwork();
        world.Partition("app", "sensor");
        world.Drop("raw", "other");
        using var peer = new ScriptedPeer(world, "sensor");
        using var client = new CoapClient(world.Place(new CoapClientSettings(), "app"));
        using var raw = world.InMemoryNetwork.Open("raw", _ => { });
        using var other = world.InMemoryNetwork.Open("other", _ => { });

        world.Invoking(one => one.RunFor(TimeSpan.FromSeconds(1))).Should().NotThrow();
    }
}
