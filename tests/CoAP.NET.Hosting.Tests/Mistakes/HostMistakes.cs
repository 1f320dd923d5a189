using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting.Tests.Mistakes;

/// <summary>Mistakes with hosts, their configuration and typed handlers.</summary>
internal static class HostMistakes
{
    public static IEnumerable<Mistake> OfHosts()
    {
        yield return Mistake.Throws(() => StartWith("Coap:MaxPendingRequest", "10"), "\"Coap\": { \"MaxPendingRequest\": 10 }");
        yield return Mistake.Throws(() => StartWith("Coap:ShutdownTimeout", "5"), "\"Coap\": { \"ShutdownTimeout\": 5 }");
        yield return Mistake.Throws(() => StartWith("Coap:Endpoints", "*:5683"), "\"Coap\": { \"Endpoints\": \"*:5683\" }");
        yield return Mistake.Throws(() => StartWith("Coap:Lanes", "0"), "\"Coap\": { \"Lanes\": 0 }");
        yield return Mistake.Throws(() => StartWith("Coap:Lanes", "99999999999"), "\"Coap\": { \"Lanes\": 99999999999 }");
        yield return Mistake.Throws(() => StartWith("Coap:Tls:CertificateFile", "missing.pem"), "\"Coap\": { \"Tls\": { \"CertificateFile\": \"missing.pem\" } }");
        yield return Mistake.Throws(() => BuilderWith(builder => builder.Services.AddCoapServer().BindConfiguration("Servers")), "AddCoapServer().BindConfiguration(\"Servers\"), without the section");
        yield return Mistake.Throws(() => Services().AddCoapServer().Services.AddCoapServer(), "services.AddCoapServer(); services.AddCoapServer();");
        yield return Mistake.Throws(() => BuilderWith(builder => builder.Services.ConfigureCoapServer(settings => settings)), "services.ConfigureCoapServer(…), without AddCoapServer");
        yield return Mistake.Throws(() => Host.CreateEmptyApplicationBuilder(null).Build().MapCoapGet("hello", () => "Hello"), "host.MapCoapGet(…), without AddCoapServer");
        yield return Mistake.Throws(() => BuilderWith(builder => builder.Services.AddCoapClient("a", settings => settings with { BaseUri = "a" })), "AddCoapClient(\"a\", settings => settings with { BaseUri = \"a\" })");
    }

    public static IEnumerable<Mistake> OfRequests(BoundHost host)
    {
        yield return Mistake.Answers(() => host.GetAsync("/levels/abc"), "GET /levels/abc, for \"/levels/{id:int}\"");
        yield return Mistake.Answers(() => host.GetAsync("/history?limit=abc"), "GET /history?limit=abc, for an int");
        yield return Mistake.Answers(() => host.GetAsync("/history"), "GET /history, without the argument");
        yield return Mistake.Answers(() => host.PutAsync("/levels/1", "{\"watts\":\"x\"}", ContentFormats.Json), "PUT /levels/1 with {\"watts\":\"x\"}");
        yield return Mistake.Answers(() => host.PutAsync("/levels/1", "{}", ContentFormats.Xml), "PUT /levels/1 as XML, for a server with JSON");
        yield return Mistake.Answers(() => host.PutAsync("/history", "{}", ContentFormats.Json), "PUT /history, for a resource with GET alone");
        yield return Mistake.Answers(() => host.GetAsync("/fails"), "a handler that throws");
        yield return Mistake.Answers(() => host.GetAsync("/waits"), "request.Channel.Get(…) in a handler with HandlerMode.Inline; the client gets 5.00, the log this");
    }

    private static ServiceCollection Services() => new ServiceCollection();

    private static Task StartWith(string key, string value) => BuilderWith(builder =>
    {
        builder.Configuration.AddInMemoryCollection([new(key, value)]);
        builder.Services.AddCoapServer();
    });

    private static async Task BuilderWith(Action<HostApplicationBuilder> configure)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        configure(builder);
        using var host = builder.Build();
        await host.StartAsync();
    }
}
