using System.Net;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Clients;

/// <summary>A server that greets, over UDP and TCP.</summary>
internal sealed class GreetingService : IService
{
    private readonly CoapServer _server;

    private GreetingService(CoapServer server) => _server = server;

    public IEnumerable<string> Addresses => [$"udp {_server.Endpoints[0].Address.Port}", $"tcp {_server.Endpoints[1].Address.Port}"];

    public static Task<IService> StartAsync()
    {
        var here = new IPEndPoint(IPAddress.Loopback, 0);
        var server = new CoapServer(Settings.Server with { Endpoints = [ServerEndpoint.Udp(here), ServerEndpoint.Tcp(here)] });
        var greeting = Response.Content("Hello, CoAP!");
        server.Resources.At("hello").Get((_, _) => new(greeting));
        server.Start();
        return Task.FromResult<IService>(new GreetingService(server));
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
