using CoAP;
using CoAP.Testing;

namespace ProgramNamespace.Tests;

/// <summary>Reads a device on a simulated network: no ports, no waiting.</summary>
public sealed class ResourceReaderTests : IAsyncDisposable
{
    private const string Uri = "coap://device/temperature";

    private readonly SimulatedNetwork _network = new() { Latency = TimeSpan.FromMilliseconds(50) };
    private readonly StringWriter _output = new() { NewLine = "\n" };
    private readonly StringWriter _errors = new() { NewLine = "\n" };
    private readonly CoapServer _device;
    private readonly CoapClient _client;
    private readonly ResourceReader _reader;
    private string _temperature = "21.5";

    public ResourceReaderTests()
    {
        _device = new CoapServer(_network.Place(new CoapServerSettings(), "device"));
        var temperature = _device.Resources.At("temperature").Get((_, _) => new(Response.Content(_temperature))).Observable();
        temperature.Put((request, _) =>
        {
            _temperature = request.PayloadText;
            temperature.NotifyChanged();
            return new(Response.Changed);
        });
        _device.Start();
        _client = new CoapClient(_network.Place(new CoapClientSettings(), "client"));
        _reader = new ResourceReader(_client, _output, _errors);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _device.DisposeAsync();
    }

    [Fact]
    public void A_resource_is_written_to_the_output()
    {
        Assert.Equal(ExitCode.Success, _network.Run(() => _reader.GetAsync(Uri, CancellationToken.None)));
        Assert.Equal("21.5\n", _output.ToString());
        Assert.Empty(_errors.ToString());
    }

    [Fact]
    public void A_lost_request_is_sent_again()
    {
        _network.Drop("client", "device");

        Assert.Equal(ExitCode.Success, _network.Run(() => _reader.GetAsync(Uri, CancellationToken.None)));
    }

    [Fact]
    public void An_error_of_the_server_has_its_own_exit_code()
    {
        Assert.Equal(ExitCode.ErrorResponse, _network.Run(() => _reader.GetAsync("coap://device/humidity", CancellationToken.None)));
        Assert.Empty(_output.ToString());
        Assert.Contains("4.04", _errors.ToString());
    }

    [Fact]
    public void An_observation_writes_each_state()
    {
        _network.Run(async () =>
        {
            var observing = _reader.ObserveAsync(Uri, count: 2, CancellationToken.None);
            await _client.PutAsync(Uri, "22.5");
            Assert.Equal(ExitCode.Success, await observing);
        });

        Assert.Equal("21.5\n22.5\n", _output.ToString());
    }

    [Fact]
    public void A_device_that_is_away_is_a_timeout()
    {
        _network.Partition("client", "device");

        Assert.Throws<CoapTimeoutException>(() => _network.Run(() => _reader.GetAsync(Uri, CancellationToken.None)));
    }
}
