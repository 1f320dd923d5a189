using CoAP;
using CoAP.Testing;
using Xunit;

namespace SampleTests;

public sealed class ThermostatTests : IAsyncDisposable
{
    private readonly SimulatedNetwork _network = new(seed: 7);
    private readonly CoapServer _server;
    private readonly CoapClient _client;

    public ThermostatTests()
    {
        _server = new CoapServer(_network.Place(new CoapServerSettings(), "thermostat"));
        _ = new Thermostat(_server.Resources);
        _server.Start();
        _client = new CoapClient(_network.Place(new CoapClientSettings(), "app"));
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
        _network.Latency = TimeSpan.FromMilliseconds(50);
        _network.Drop("app", "thermostat");

        var response = _network.Run(_client.GetAsync("coap://thermostat/set-point"));

        Assert.Equal("21.0", response.PayloadText);
        Assert.Equal(2, _network.Transcript.Between("app", "thermostat").Count);
        Assert.InRange(_network.Clock.Elapsed, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(4));
    }

    [Fact]
    public void A_call_ends_after_a_long_partition()
    {
        _network.Partition("app", "thermostat");

        Assert.Throws<CoapTimeoutException>(() => _client.Get("coap://thermostat/set-point"));

        Assert.True(_network.Clock.Elapsed > TimeSpan.FromSeconds(45));
    }

    [Fact]
    public void Observers_see_each_change()
    {
        _network.Run(async () =>
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
        using var peer = new ScriptedPeer(_network, "sensor");
        var call = _client.GetAsync("coap://sensor/temperature").AsTask();

        peer.Expect("CON [M] GET /temperature (Token T) {Uri-Host: sensor}");
        peer.Send("ACK [M]");

        Assert.Throws<CoapTimeoutException>(() => _network.Run(call));
        Assert.True(_network.Clock.Elapsed >= TimeSpan.FromSeconds(100));
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }
}
