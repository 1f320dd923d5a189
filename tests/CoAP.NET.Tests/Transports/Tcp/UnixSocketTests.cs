namespace CoAP.Tests.Transports.Tcp;

/// <summary>Connections over a local socket.</summary>
[Trait("Category", "Loopback")]
public sealed class UnixSocketTests : IDisposable
{
    private readonly string _path = Path.Combine(Path.GetTempPath(), $"coap-{Guid.NewGuid():N}.sock");

    public void Dispose() => File.Delete(_path);

    [Theory]
    [InlineData(ServerMode.Async, false), InlineData(ServerMode.Async, true), InlineData(ServerMode.Sync, false), InlineData(ServerMode.Sync, true)]
    public async Task Requests_go_over_it(ServerMode mode, bool isSync)
    {
        await using var server = Start(mode);
        await using var client = new CoapClient();
        var channel = isSync ? client.OpenUnix(_path) : await client.OpenUnixAsync(_path);
        var request = new CoapRequest(RequestCode.Get, "/hello");

        var hello = isSync ? channel.Send(request) : await channel.SendAsync(request);

        hello.PayloadText.Should().StartWith("hello unix:");
        server.Endpoints[0].ToString().Should().Be($"coap+unix://{_path}");
    }

    [Fact]
    public async Task All_connections_of_local_sockets_share_one_account()
    {
        await using var server = new CoapServer(new CoapServerSettings { Endpoints = [ServerEndpoint.Unix(_path)] });
        server.Resources.At("account").Get(static request => Response.Content(Account.Of(request.Peer).ToString()));
        server.Start();
        await using var first = new CoapClient();
        await using var second = new CoapClient();

        var accounts = new List<string>();
        foreach (var client in (CoapClient[])[first, second])
        {
            var channel = await client.OpenUnixAsync(_path);
            accounts.Add((await channel.SendAsync(new CoapRequest(RequestCode.Get, "/account"))).PayloadText);
        }

        accounts.Distinct().Should().ContainSingle("one local user can open any number of connections");
    }

    [Fact]
    public async Task Clients_have_different_identities()
    {
        await using var server = Start(ServerMode.Async);
        var clients = Enumerable.Range(0, 20).Select(_ => new CoapClient()).ToList();

        var answers = new List<string>();
        foreach (var client in clients)
        {
            var channel = await client.OpenUnixAsync(_path);
            answers.Add((await channel.SendAsync(new CoapRequest(RequestCode.Get, "/hello"))).PayloadText);
        }

        answers.Should().OnlyHaveUniqueItems();
        server.OpenConnections.Should().Be(20);
        foreach (var client in clients) { await client.DisposeAsync(); }
    }

    [Fact]
    public async Task A_file_that_is_not_a_socket_stays()
    {
        await File.WriteAllTextAsync(_path, "precious");
        using var server = NewServer(ServerMode.Async);

        server.Invoking(one => one.Start()).Should().Throw<System.Net.Sockets.SocketException>();

        (await File.ReadAllTextAsync(_path)).Should().Be("precious");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_error_names_a_path_without_a_listener(bool isSync)
    {
        await using var client = new CoapClient();

        var call = () => isSync ? Task.Run(() => client.OpenUnix(_path)) : client.OpenUnixAsync(_path).AsTask();

        (await call.Should().ThrowAsync<CoapTransportException>()).WithMessage($"No server listens at the local socket {_path}.");
    }

    [Fact]
    public async Task The_file_of_an_ended_server_is_replaced_and_that_of_a_running_one_is_not()
    {
        using (var dead = new System.Net.Sockets.Socket(System.Net.Sockets.AddressFamily.Unix, System.Net.Sockets.SocketType.Stream, 0))
        {
            dead.Bind(new System.Net.Sockets.UnixDomainSocketEndPoint(_path));
        }

        await using var server = Start(ServerMode.Async);
        using var second = NewServer(ServerMode.Async);

        second.Invoking(one => one.Start()).Should().Throw<System.Net.Sockets.SocketException>();
        server.Endpoints.Should().HaveCount(1);
    }

    [Fact]
    public async Task The_file_is_deleted_with_the_server()
    {
        var server = Start(ServerMode.Sync);
        var existed = File.Exists(_path);

        await server.DisposeAsync();

        (existed, File.Exists(_path)).Should().Be((true, false));
    }

    private CoapServer Start(ServerMode mode)
    {
        var server = NewServer(mode);
        server.Start();
        return server;
    }

    private CoapServer NewServer(ServerMode mode)
    {
        var server = new CoapServer(new() { Endpoints = [ServerEndpoint.Unix(_path)], Mode = mode });
        server.Resources.At("hello").Get(request => Response.Content($"hello {request.Peer}"));
        return server;
    }
}
