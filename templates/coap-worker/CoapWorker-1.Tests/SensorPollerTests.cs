using CoAP;
using CoAP.Formats;
using CoAP.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace ProgramNamespace.Tests;

/// <summary>Runs the program and a device on a simulated network: no ports, no waiting.</summary>
public sealed class SensorPollerTests : IAsyncDisposable
{
    private readonly CoapApplicationFactory<SensorPoller> _program =
        new CoapApplicationFactory<SensorPoller>().WithSetting("CoapClients:SensorClient:BaseUri", "coap://device").WithSetting("Poller:Sensor", "7");

    private readonly CoapServer _device;
    private CoapResponse? _refusal;

    public SensorPollerTests()
    {
        var settings = new CoapServerSettings { Formats = PayloadFormats.Of(new JsonFormat(SensorJson.Default)) };
        _device = new CoapServer(_program.Network.Place(settings, "device"));
        _device.Resources.At("sensors/7").Get((_, _) => new(Interlocked.Exchange(ref _refusal, null) ?? Response.Content(new Reading(19.5))));
        _device.Start();
    }

    public async ValueTask DisposeAsync()
    {
        await _program.DisposeAsync();
        await _device.DisposeAsync();
    }

    [Fact]
    public void The_reading_of_the_device_arrives()
    {
        Assert.Equal(new Reading(19.5), AwaitReading());
    }

    [Fact]
    public void A_device_that_is_busy_is_asked_again()
    {
        _refusal = Response.Unavailable(TimeSpan.FromSeconds(3));

        Assert.Equal(new Reading(19.5), AwaitReading());
        Assert.True(_program.Network.Clock.Elapsed >= TimeSpan.FromSeconds(3));
    }

    [Fact]
    public void An_error_does_not_end_the_service()
    {
        _refusal = Response.NotFound;

        Assert.Equal(new Reading(19.5), AwaitReading());
        Assert.True(_program.Network.Clock.Elapsed >= TimeSpan.FromSeconds(10));
    }

    private Reading? AwaitReading()
    {
        var latest = _program.Services.GetRequiredService<LatestReading>();
        _program.Network.RunUntil(() => latest.Value is not null);
        return latest.Value;
    }
}
