using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;

namespace CoAP.Benchmarks.Load;

/// <summary>The same response from a minimal API over HTTP, for comparison.</summary>
internal sealed class HttpService : IService
{
    private readonly WebApplication _web;

    private HttpService(WebApplication web) => _web = web;

    public IEnumerable<string> Addresses => [$"http {new Uri(_web.Urls.First()).Port}"];

    public static async Task<IService> StartAsync(ServiceValues values)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        var web = builder.Build();
        web.MapGet("/hello", static () => "Hello, CoAP!");
        await web.StartAsync();
        return new HttpService(web);
    }

    public ValueTask DisposeAsync() => _web.DisposeAsync();
}
