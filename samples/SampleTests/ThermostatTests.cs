using CoAP;
using CoAP.Testing;
using Xunit;

namespace SampleTests;

public sealed class ThermostatTests : IAsyncDisposable
{
    private readonly SimulatedNetwork _world = new(seed: 7);
    private readonly CoapServer _server;
    private readonly CoapClient _client;

    public ThermostatTests()
    {
        _server = new CoapServer(_world.Place(new CoapServerSettings(), "thermostat"));
        _ = new Thermostat(_server.Resources);
        _server.Start();
        _client = new CoapClient(_world.Place(new CoapClientSettings(), "app"));
    }

    [Fact]
    public void The_set_point_can_be_changed()
    {
        _client.Put("coap://thermostat/set-point", "19.5").EnsureSuccess();

        Assert.Equal("19.5", _client.Get("coap://thermostat/set-point").PayloadText);
    }

    [Fact]
    public void A_lost_request_is_sent_again()
    {
        _world.Latency = TimeSpan.FromMilliseconds(50);
        _world.Drop("app", "thermostat");

        var response = _world.Run(_client.GetAsync("coap://thermostat/set-point"));

        Assert.Equal("21.0", response.PayloadText);
        Assert.Equal(2, _world.Transcript.Between("app", "thermostat").Count);
        Assert.InRange(_world.Clock.Elapsed, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(4));
    }

    [Fact]
    public void A_call_ends_after_a_long_partition()
    {
        _world.Partition("app", "thermostat");

        Assert.Throws<CoapTimeoutException>(() => _client.Get("coap://thermostat/set-point"));

        Assert.True(_world.Clock.Elapsed > TimeSpan.FromSeconds(45));
    }

    [Fact]
    public void Observers_see_each_change()
    {
        _world.Run(async () =>
        {
            await using var seen = _client.ObserveAsync("coap://thermostat/set-point").GetAsyncEnumerator();
            Assert.True(await seen.MoveNextAsync());
            await _client.PutAsync("coap://thermostat/set-point", "18.0");

            Assert.True(await seen.MoveNextAsync());
            Assert.Equal("18.0", seen.Current.Response.PayloadText);
        });
    }

    [Fact]
    public void A_client_that_acknowledges_and_then_says_nothing_times_out()
    {
        using var peer = new ScriptedPeer(_world, "sensor");
        var call = _client.GetAsync("coap://sensor/temperature").AsTask();

        peer.Expect("CON [M] GET /temperature (Token T) {Uri-Host: sensor}");
        peer.Send("ACK [M]");

        Assert.Throws<CoapTimeoutException>(() => _world.Run(call));
        Assert.True(_world.Clock.Elapsed >= TimeSpan.FromSeconds(100));
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }
}
