using CoAP.Tests.Dtls.Certificates;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Devices that restart at their address, in simulated time.</summary>
public sealed class RestartedDeviceTests : IDisposable
{
    private const string Host = "server", Name = "device";

    private readonly TestAuthority _authority = new();

    public void Dispose() => _authority.Dispose();

    // It proves only who the server is, so its next session has no credentials either.
    [Theory, Trait("RFC", "6347 4.2.8"), InlineData(null), InlineData(0), InlineData(8)]
    public async Task The_earlier_session_of_a_device_without_credentials_ends_when_it_begins_another_one(int? idLength)
    {
        var world = new SimulatedNetwork { Latency = TimeSpan.FromMilliseconds(20) };
        using var certificate = _authority.IssueServer(Host);
        await using var server = new CoapServer(world.Place(new CoapServerSettings { Dtls = new DtlsServerSettings { Certificate = TlsCertificateSource.From(certificate) } }));
        var state = server.Resources.At("state").Get(static (_, _) => new(Response.Content("on"))).Observable();
        server.Start();
        var settings = new CoapClientSettings { Dtls = new DtlsClientSettings { TrustedRoots = [_authority.Root], ConnectionIdLength = idLength } };
        var first = new CoapClient(world.Place(settings, Name));
        using var over = new CancellationTokenSource();
        var reading = world.Run(() => Task.FromResult(ReadAsync(first.ObserveAsync("coaps://server/state"), over.Token)));
        world.RunUntil(() => state.ObserverCount == 1);
        world.SetLink(Name, Host, new() { Loss = 1 });
        await first.DisposeAsync();
        world.SetLink(Name, Host, null);

        await using var second = new CoapClient(world.Place(settings, Name));
        world.Run(second.GetAsync("coaps://server/state"));
        var before = world.Transcript.Between(Host, Name).Count;
        state.NotifyChanged();
        world.RunFor(TimeSpan.FromMinutes(1));

        state.ObserverCount.Should().Be(0);
        world.Transcript.Between(Host, Name).Should().HaveCount(before);
        await reading;
    }

    private static async Task ReadAsync(CoapObservation observation, CancellationToken over)
    {
        try
        {
            await foreach (var _ in observation.WithCancellation(over))
            {
            }
        }
        catch (CoapException)
        {
            // The client has ended.
        }
    }
}
