namespace CoAP.Benchmarks.Load;

/// <summary>A server under attack and the control: an idle one of the same kind on the same processor, which honest peers ask for the same.</summary>
/// <param name="Server">The server under attack.</param>
/// <param name="Control">The idle one.</param>
internal sealed record AttackTargets(AttackedServer Server, AttackedServer Control) : IAsyncDisposable
{
    private const double GreetingsPerSecond = 100, ErrandsPerSecond = 10;

    /// <summary>The rates of honest peers, in words.</summary>
    public static string Rates { get; } = string.Create(CultureInfo.InvariantCulture,
        $"Honest peers ask for /hello over UDP and TCP, {GreetingsPerSecond} times a second each, and {ErrandsPerSecond} times a second for what the attack threatens.");

    /// <summary>Starts a sample server, or one of this program, and the control. A server that runs already has a sample server as its control.</summary>
    public static async Task<AttackTargets> StartAsync(string server, AttacksPlan plan)
    {
        var targets = server == AttacksPlan.Own ? new AttackTargets(await AttackedServer.StartOwnAsync(), await AttackedServer.StartOwnAsync())
            : server == AttacksPlan.Running ? new(AttackedServer.Running(plan), AttackedServer.Start(plan.Samples[^1].Path))
            : new(AttackedServer.Start(plan.PathOf(server)), AttackedServer.Start(plan.PathOf(server)));
        targets.Server.WarmUp(plan.WarmUp);
        targets.Control.WarmUp(plan.WarmUp);
        return targets;
    }

    /// <summary>Returns the honest peers: over UDP, over TCP, and those that need what the attack threatens.</summary>
    public ComparedPeer[] PeersFor(Errand? errand) =>
    [
        .. Errand.Greet.Schemes.Select(scheme => PeerFor(Errand.Greet, scheme, GreetingsPerSecond)),
        .. errand is null ? [] : errand.Schemes.Select(scheme => PeerFor(errand, scheme, ErrandsPerSecond)),
    ];

    public bool Has(string scheme) => Server.Has(scheme) && Control.Has(scheme);

    public async ValueTask DisposeAsync()
    {
        await Server.DisposeAsync();
        await Control.DisposeAsync();
    }

    private ComparedPeer PeerFor(Errand errand, string scheme, double rate) => new(errand, Server.UriOf(scheme), Control.UriOf(scheme), rate);
}
