using System.Net;

namespace CoAP.Tool.Tests;

/// <summary>A server for the tool, with a free port on UDP and TCP.</summary>
internal sealed class ToolServer : IAsyncDisposable
{
    private readonly CoapServer _server;

    public ToolServer(Action<ResourceMap> map)
    {
        var loopback = new IPEndPoint(IPAddress.Loopback, 0);
        _server = new CoapServer(new CoapServerSettings { Endpoints = [ServerEndpoint.Udp(loopback), ServerEndpoint.Tcp(loopback)] });
        map(_server.Resources);
        _server.Start();
    }

    public string Udp => UriOf(0);

    public string Tcp => UriOf(1);

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    private string UriOf(int index) => _server.Endpoints[index].ToString().TrimEnd('/');
}
