using System.Net;
using System.Net.Sockets;
using CoAP.Options;

namespace CoAP.Hosting.Tests.Mistakes;

/// <summary>Mistakes with servers, resources and responses.</summary>
internal static class EndpointMistakes
{
    private static readonly CoapResponse Hello = Response.Content("Hello");

    public static IEnumerable<Mistake> OfServers()
    {
        yield return Mistake.Throws(() => ServerEndpoint.Parse("127.0.0.1:5683"));
        yield return Mistake.Throws(() => ServerEndpoint.Parse("coap://example.com"));
        yield return Mistake.Throws(() => new CoapServer(new CoapServerSettings { MaxPendingRequests = 0 }));
        yield return Mistake.Throws(() => new CoapServer(new CoapServerSettings { Endpoints = [ServerEndpoint.Tls(new(IPAddress.Loopback, 0))] }).Start());
        yield return Mistake.Throws(() => new CoapServer(new CoapServerSettings { Endpoints = [ServerEndpoint.Dtls(new(IPAddress.Loopback, 0))] }).Start());
        yield return Mistake.Throws(StartOnTakenPort, "server.Start(), when another program has the port");
        yield return Mistake.Throws(StartTwice, "server.Start(); server.Start();");
        yield return Mistake.Throws(StartAfterDispose, "server.Dispose(); server.Start();");
    }

    public static IEnumerable<Mistake> OfResources()
    {
        var resources = new ResourceMap();
        yield return Mistake.Throws(() => resources.At("sensors/{id"));
        yield return Mistake.Throws(() => resources.At("{a}/{a}"));
        yield return Mistake.Throws(() => resources.At("sensors/{id:integer}"));
        yield return Mistake.Throws(() => resources.At("sensors?unit=C"));
        yield return Mistake.Throws(() => resources.At("hello").Get(_ => Hello).Get(_ => Hello), "resources.At(\"hello\").Get(first).Get(second)");
        yield return Mistake.Throws(() => resources.At("a").Get((Func<IncomingRequest, CoapResponse>)null!), "resources.At(\"a\").Get(null)");
        yield return Mistake.Throws(() => resources.At("b").NotifyChanged());
        yield return Mistake.Throws(() => resources.At("tanks/{id:int}").Observable().NotifyChanged("tank/7"));
        yield return Mistake.Throws(() => resources.Add("c", (CoapResource)null!), "resources.Add(\"c\", null)");
    }

    public static IEnumerable<Mistake> OfResponses()
    {
        yield return Mistake.Throws(() => Response.Error(ResponseCode.Content));
        yield return Mistake.Throws(() => Response.Problem(ResponseCode.Changed, "Wrong"));
        yield return Mistake.Throws(() => new CoapResponse(RequestCode.Get));
        yield return Mistake.Throws(() => Response.Content("text", maxAge: TimeSpan.FromSeconds(-1)));
        yield return Mistake.Throws(() => new ETag(new byte[9]));
        yield return Mistake.Throws(() => Response.CreatedAt("http://elsewhere/1"));
    }

    private static void StartOnTakenPort()
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        using var server = new CoapServer(new CoapServerSettings { Endpoints = [ServerEndpoint.Udp((IPEndPoint)taken.LocalEndPoint!)] });
        server.Start();
    }

    private static void StartTwice()
    {
        using var server = new CoapServer(new CoapServerSettings { Endpoints = [] });
        server.Start();
        server.Start();
    }

    private static void StartAfterDispose()
    {
        var server = new CoapServer(new CoapServerSettings { Endpoints = [] });
        server.Dispose();
        server.Start();
    }
}
