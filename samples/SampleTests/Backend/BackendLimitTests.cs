using CoAP;
using CoAP.Options;
using Xunit;

namespace Backend.Tests;

/// <summary>What the sample backend refuses so that controllers do not harm it or each other.</summary>
public sealed class BackendLimitTests : IAsyncLifetime
{
    private readonly List<CoapClient> _clients = [];

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        foreach (var client in _clients) { await client.DisposeAsync(); }
    }

    [Fact]
    public async Task A_controller_above_its_share_gets_4_29_and_another_one_is_served()
    {
        await using var backend = await BackendProgram.StartAsync("MaxWaitingPerController=1", "BatchSize=2", "BatchDelay=01:00:00");
        var pump = new[] { ReportAsync(backend, "pump", 1), ReportAsync(backend, "pump", 2) };

        var refused = await await Task.WhenAny(pump);
        var fan = await ReportAsync(backend, "fan", 1);         // fills the batch
        var both = await Task.WhenAll(pump);

        refused.Code.Should().Be(ResponseCode.TooManyRequests);
        refused.Options.Get<MaxAge>()!.Value.Should().Be(1);
        both.Append(fan).Where(one => one != refused).Select(static one => one.Code).Should().Equal(ResponseCode.Changed, ResponseCode.Changed);
    }

    [Fact]
    public async Task A_controller_too_many_gets_5_03_and_the_known_ones_are_served()
    {
        await using var backend = await BackendProgram.StartAsync("MaxControllers=1");

        var codes = new[]
        {
            (await ReportAsync(backend, "pump", 1)).Code, (await ReportAsync(backend, "fan", 1)).Code, (await ReportAsync(backend, "pump", 2)).Code,
        };

        codes.Should().Equal(ResponseCode.Changed, ResponseCode.ServiceUnavailable, ResponseCode.Changed);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(101)]
    public async Task A_request_with_no_reading_or_too_many_is_refused_with_the_limit(int count)
    {
        await using var backend = await BackendProgram.StartAsync();
        var readings = Enumerable.Range(0, count).Select(static number => At(number)).ToArray();

        var response = await NewClient().PostAsync($"{backend.Coap}/controllers/pump/readings", readings);

        response.Code.Should().Be(ResponseCode.BadRequest);
        response.PayloadText.Should().Contain($"{count} readings; 1 to 100");
    }

    private static Reading At(long sequence) => new(sequence, DateTimeOffset.UnixEpoch.AddYears(50), sequence);

    // Each report has a client of its own: a client sends one request after the other to a server.
    private Task<CoapResponse> ReportAsync(BackendProgram backend, string controller, long sequence) =>
        NewClient().PutAsync($"{backend.Coap}/controllers/{controller}/readings", At(sequence)).AsTask();

    private CoapClient NewClient()
    {
        var client = new CoapClient(new CoapClientSettings { Formats = Payloads.Formats });
        _clients.Add(client);
        return client;
    }
}
