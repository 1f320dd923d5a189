using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;

namespace CoAP.Measurements.Serving;

/// <summary>A server in one mode that notes when each message was deserialized, on the clock that its client reads too.</summary>
internal sealed class DripService : IService
{
    private readonly ConcurrentDictionary<string, long> _deserialized = new();
    private readonly CoapServer _server;

    private DripService(IReadOnlyDictionary<string, string> values)
    {
        var here = new IPEndPoint(IPAddress.Loopback, 0);
        _server = new CoapServer(Settings.Server with
        {
            Endpoints = [ServerEndpoint.Tcp(here), ServerEndpoint.Udp(here)],
            Mode = Enum.Parse<ServerMode>(values["mode"], ignoreCase: true),
            Stream = new StreamSettings { MaxMessageSize = 1 << 20, MessageTimeout = TimeSpan.FromDays(1), IdleTimeout = null },
            Links = [MeshLink.Filter(MeshArrow.MessagesIn, Note)],
        });
        var body = _server.Resources.At("body").StreamsBody();
        if (values["mode"] == "sync") { body.Put(Take); }
        else { body.Put((request, _) => TakeAsync(request)); }
    }

    public IEnumerable<string> Addresses => _server.Endpoints.Select(endpoint => $"{(endpoint.Scheme == "coap+tcp" ? "tcp" : "udp")} {endpoint.Address.Port}");

    public static Task<IService> StartAsync(IReadOnlyDictionary<string, string> values)
    {
        var service = new DripService(values);
        service._server.Start();
        return Task.FromResult<IService>(service);
    }

    /// <summary>The time at which the message with a token was there; 0 while it is not.</summary>
    public string Answer(string question) => _deserialized.GetValueOrDefault(question).ToString(CultureInfo.InvariantCulture);

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    // Runs on the lane between the deserializer and all else. Datagrams are not dripped, and would pile up here.
    private bool Note(ReceivedMessage received)
    {
        var now = Stopwatch.GetTimestamp();
        if (received.Message.Code == RequestCode.Post) { _deserialized.TryAdd(received.Message.Token.ToString(), now); }
        return true;
    }

    private static CoapResponse Take(IncomingRequest request)
    {
        request.Body.CopyTo(new Sink());
        return Response.Changed;
    }

    private static async ValueTask<CoapResponse> TakeAsync(IncomingRequest request)
    {
        await request.Body.CopyToAsync(new Sink());
        return Response.Changed;
    }
}
