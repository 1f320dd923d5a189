using System.Net;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Servers.Hosting;

/// <summary>The same as CoAP over TCP, and handlers that wait.</summary>
internal sealed class CoapService : IService
{
    /// <summary>The handlers that block at the same time in the mixed form.</summary>
    public const int MixedThreads = 64;

    private readonly CoapServer _server;

    private CoapService(CoapServer server) => _server = server;

    public IEnumerable<string> Addresses => [$"tcp {_server.Endpoints[0].Address.Port}"];

    public static Task<IService> StartAsync(IReadOnlyDictionary<string, string> values)
    {
        var model = Enum.Parse<ServerModel>(values["model"]);
        var settings = Settings.Server with
        {
            Endpoints = [ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))],
            Mode = model switch { ServerModel.Single => ServerMode.AsyncSingle, ServerModel.Threads => ServerMode.Sync, _ => ServerMode.Async },
        };
        settings = settings with { Tcp = settings.Tcp with { Backlog = 4096 } };
        if (model == ServerModel.Mixed) { settings = settings with { HandlerThreads = MixedThreads }; }
        var server = new CoapServer(settings);
        server.Resources.At("reverse").Post((request, _) => new(Reverse(request)));
        server.Resources.At("hello").Get((_, _) => new(Response.Content("Hello, CoAP!")));
        WaitingHandlers.Map(server.Resources, model);
        server.Start();
        return Task.FromResult<IService>(new CoapService(server));
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    private static CoapResponse Reverse(IncomingRequest request)
    {
        var reversed = request.Payload.ToArray();
        reversed.AsSpan().Reverse();
        return new CoapResponse(ResponseCode.Changed) { Payload = reversed };
    }
}
