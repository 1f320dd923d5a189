using CoAP;
using CoAP.Formats;
using CoAP.Testing;

namespace ProgramNamespace.Tests;

/// <summary>Runs the program on a simulated network: no ports, no waiting.</summary>
public sealed class SensorTests : IDisposable
{
    private readonly CoapApplicationFactory<SensorStore> _program = new();
    private readonly CoapClient _client;

    public SensorTests() =>
        _client = _program.CreateClient(new CoapClientSettings { Formats = PayloadFormats.Of(new JsonFormat(SensorJson.Default)) });

    public void Dispose() => _program.Dispose();

    [Fact]
    public void A_reading_can_be_written_and_read()
    {
        _client.Put("/sensors/7", new Reading(19.5)).EnsureSuccess();

        Assert.Equal(new Reading(19.5), _client.Get<Reading>("/sensors/7"));
    }

    [Fact]
    public void A_reading_is_sent_as_json()
    {
        Assert.Equal("""{"Celsius":21.5}""", _client.Get("/sensors/1").PayloadText);
    }

    [Theory]
    [InlineData("/sensors/2")]
    [InlineData("/sensors/65")]
    public void A_sensor_without_a_reading_is_not_found(string uri)
    {
        Assert.Equal(ResponseCode.NotFound, _client.Get(uri).Code);
    }

    [Fact]
    public void An_observer_gets_the_next_reading()
    {
        _program.Network.Run(async () =>
        {
            await using var readings = _client.ObserveAsync<Reading>("/sensors/1").GetAsyncEnumerator();
            Assert.True(await readings.MoveNextAsync());
            await _client.PutAsync("/sensors/1", new Reading(22.5));

            Assert.True(await readings.MoveNextAsync());
            Assert.Equal(new Reading(22.5), readings.Current);
        });
    }
}
