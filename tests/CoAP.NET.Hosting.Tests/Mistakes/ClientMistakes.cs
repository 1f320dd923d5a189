using System.Net;
using CoAP.Options;
using CoAP.Tests.Transports.Tls;

namespace CoAP.Hosting.Tests.Mistakes;

/// <summary>Mistakes with clients.</summary>
internal static class ClientMistakes
{
    private static readonly byte[] Bytes = [1];

    public static IEnumerable<Mistake> OfRequests()
    {
        yield return Mistake.Throws(() => new CoapRequest(RequestCode.Put, "coap://host/a") { Payload = Bytes, Body = BodySource.From(Stream.Null) });
        yield return Mistake.Throws(() => new CoapRequest(RequestCode.Get, "coap://host/a") { Payload = Bytes });
        yield return Mistake.Throws(() => new CoapRequest(ResponseCode.Content, "coap://host/a"));
        yield return Mistake.Throws(() => new UriPath(new string('a', 256)), "new UriPath(a text of 256 bytes)");
        yield return Mistake.Throws(() => new CoapRequest(RequestCode.Get, "coap://host/a") { Options = [new ContentFormat(0), new ContentFormat(50)] });
    }

    public static IEnumerable<Mistake> OfCalls()
    {
        yield return Mistake.Throws(() => With(client => client.GetAsync("/hello")), "client.GetAsync(\"/hello\")");
        yield return Mistake.Throws(() => With(client => client.GetAsync(null!)), "client.GetAsync(null)");
        yield return Mistake.Throws(() => With(client => client.GetAsync("http://localhost/hello")), "client.GetAsync(\"http://localhost/hello\")");
        yield return Mistake.Throws(() => With(client => client.GetAsync("coap://localhost/hello#part")), "client.GetAsync(\"coap://localhost/hello#part\")");
        yield return Mistake.Throws(() => With(client => client.GetAsync("coaps://localhost/hello")), "client.GetAsync(\"coaps://localhost/hello\"), without CoAP.NET.Dtls");
        yield return Mistake.Throws(() => With(async client => await client.GetAsync<Uri>("coap://localhost/hello")), "client.GetAsync<Uri>(…), without a format for the type");
        yield return Mistake.Throws(AskNobodyAsync, "client.GetAsync(\"coap+tcp://localhost:PORT/hello\"), where nobody listens");
        yield return Mistake.Throws(() => AskOverTlsAsync("localhost", trusts: false), "client.GetAsync(\"coaps+tcp://localhost/\"), without TlsClientSettings.TrustedRoots");
        yield return Mistake.Throws(() => AskOverTlsAsync("example.com", trusts: true), "client.GetAsync(\"coaps+tcp://localhost/\"), for a certificate of example.com");
        yield return Mistake.Throws(AskAfterDisposeAsync, "client.Dispose(); client.GetAsync(…)");
        yield return Mistake.Throws(DisposeInCallAsync, "client.Dispose(), while a call waits");
        yield return Mistake.Throws(() => new CoapClient(new CoapClientSettings { Timeout = TimeSpan.Zero }));
        yield return Mistake.Throws(() => new CoapClient(new CoapClientSettings { BaseUri = "localhost" }));
    }

    private static async Task With<T>(Func<CoapClient, ValueTask<T>> call)
    {
        await using var client = new CoapClient();
        await call(client);
    }

    private static Task With(Func<CoapClient, Task> call) => With<bool>(async client =>
    {
        await call(client);
        return true;
    });

    private static async Task AskNobodyAsync()
    {
        using var taken = new System.Net.Sockets.Socket(System.Net.Sockets.SocketType.Stream, System.Net.Sockets.ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));      // bound, but not listening
        await using var client = new CoapClient();
        await client.GetAsync($"coap+tcp://127.0.0.1:{((IPEndPoint)taken.LocalEndPoint!).Port}/hello");
    }

    private static async Task AskOverTlsAsync(string name, bool trusts)
    {
        using var certificates = new TestCertificates();
        var endpoint = ServerEndpoint.Tls(new IPEndPoint(IPAddress.Loopback, 0));
        await using var server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [endpoint],
            Tls = new() { Certificate = TlsCertificateSource.From(certificates.Issue(name)) },
        });
        server.Start();
        await using var client = new CoapClient(new CoapClientSettings { Tls = new() { TrustedRoots = trusts ? certificates.Roots : [] } });
        await client.GetAsync($"coaps+tcp://localhost:{server.Endpoints[0].Address.Port}/");
    }

    private static async Task AskAfterDisposeAsync()
    {
        var client = new CoapClient();
        await client.DisposeAsync();
        await client.GetAsync("coap://localhost/hello");
    }

    private static async Task DisposeInCallAsync()
    {
        var network = new InMemoryNetwork();
        network.Open("device", static _ => { });     // it never answers
        var client = new CoapClient(new CoapClientSettings { Network = network });
        var call = client.GetAsync("coap://device/hello").AsTask();
        await client.DisposeAsync();
        await call;
    }
}
