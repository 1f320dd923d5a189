using System.Text;
using CoAP.Tests.Streams;

namespace CoAP.Tests.Client;

/// <summary>The errors of a client say who ended the call and name the objects that the caller knows.</summary>
public sealed class ClientErrorTextTests : IAsyncDisposable
{
    private const string Uri = "coap+tcp://raw-server/a";

    private readonly InMemoryNetwork _network = new();
    private readonly RawServer _server;
    private readonly CoapClient _client;

    public ClientErrorTextTests()
    {
        _server = new RawServer(_network);
        _client = new CoapClient(new CoapClientSettings { Network = _network });
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        _server.Dispose();
    }

    [Fact]
    public void Several_local_ports_that_are_one()
    {
        var settings = new CoapClientSettings { LocalPorts = 4, LocalEndPoint = new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 17_888) };

        FluentActions.Invoking(() => new CoapClient(settings)).Should().Throw<ArgumentException>().WithMessage("LocalPorts is 4, but LocalEndPoint has the port 17888*");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_client_that_is_disposed_during_a_call(bool isSync)
    {
        var call = Begin(isSync);
        using var peer = await _server.OpenAsync(LargeClient.TakesSixteenMiB);
        await peer.ReadAsync();

        await _client.DisposeAsync();

        (await FailAsync(call)).Should().Be("The client was disposed while the call was in progress.");
    }

    [Fact]
    public async Task A_client_that_is_disposed_during_a_call_over_datagrams()
    {
        using var silent = _network.OpenDatagrams(PeerIdentity.From("server"));
        var call = _client.GetAsync("coap://server/a").AsTask();

        await _client.DisposeAsync();

        (await FailAsync(call)).Should().Be("The client was disposed while the call was in progress.");
    }

    [Fact]
    public async Task An_observation_of_a_disposed_client_names_the_client()
    {
        var observation = _client.ObserveAsync(Uri);
        await _client.DisposeAsync();

        var reading = async () => await observation.GetAsyncEnumerator().MoveNextAsync();

        (await reading.Should().ThrowAsync<ObjectDisposedException>()).Which.ObjectName.Should().Be(typeof(CoapClient).FullName);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_speaks_HTTP(bool isSync)
    {
        var call = Begin(isSync);
        // The client tries twice, because the request was not sent.
        for (var connection = 0; connection < 2; connection++)
        {
            var peer = await _server.AcceptAsync();
            peer.Send(Encoding.ASCII.GetBytes("HTTP/1.1 400 Bad Request\r\n\r\n"));
        }

        (await FailAsync(call)).Should().Contain("this client aborted it: The first message must be a CSM (7.01), not 2.20.")
            .And.EndWith("The server may not speak CoAP on this port.");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_closes_the_connection_at_once(bool isSync)
    {
        var call = Begin(isSync);
        for (var connection = 0; connection < 2; connection++)
        {
            var peer = await _server.AcceptAsync();
            await peer.ReadAsync();
            peer.Dispose();
        }

        (await FailAsync(call)).Should().Contain("or have reached a limit on connections");
    }

    [Fact]
    public async Task An_empty_peer_has_no_channel()
    {
        await using var server = new CoapServer(new CoapServerSettings { Network = _network, Endpoints = [ServerEndpoint.InMemory("server")] });
        server.Start();

        FluentActions.Invoking(() => server.OpenChannel(default)).Should().Throw<ArgumentException>().WithParameterName("peer");
    }

    // The request is too large to be sent before the CSM has arrived.
    private Task<CoapResponse> Begin(bool isSync)
    {
        var request = new CoapRequest(RequestCode.Put, Uri) { Payload = new byte[2000] };
        return isSync
            ? Task.Factory.StartNew(() => _client.Send(request), default, TaskCreationOptions.LongRunning, TaskScheduler.Default)
            : _client.SendAsync(request).AsTask();
    }

    private static async Task<string> FailAsync(Task call)
    {
        var error = await Record.ExceptionAsync(() => call.WaitAsync(RawPeer.Patience));
        return error.Should().BeOfType<CoapTransportException>().Which.Message;
    }
}
