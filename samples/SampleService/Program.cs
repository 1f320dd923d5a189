using System.Net;
using CoAP;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Samples;

const string Usage = """
    Usage: SampleService [--Coap:KEY VALUE]... | --check | --help
    A server for systemd and containers. It serves /time on port 5683 of all addresses, over UDP and TCP.
    --Coap:KEY sets a property of CoapServerSettings. Endpoints and ShutdownTimeout are fixed.
    --check asks the server on this machine for its resources, and exits with 0 if it answers and with 1 otherwise.
    Example: SampleService --Coap:MaxPendingRequests 10000
    """;
if (Help.IsShown(args, Usage)) { return 0; }

if (args is ["--check"])
{
    try
    {
        await using var probe = new CoapClient(new() { Timeout = TimeSpan.FromSeconds(3) });
        return (await probe.GetAsync("coap://127.0.0.1/.well-known/core")).IsSuccess ? 0 : 1;
    }
    catch (CoapException)
    {
        return 1;
    }
}

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddSystemd();
builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(20));
builder.Services
    .AddCoapServer(settings => settings with
    {
        Endpoints = [ServerEndpoint.Udp(new(IPAddress.IPv6Any, 5683)), ServerEndpoint.Tcp(new(IPAddress.IPv6Any, 5683))],
        ShutdownTimeout = TimeSpan.FromSeconds(10),
    })
    .Map(server => server.Resources.At("time").Get(_ => Response.Content($"{DateTimeOffset.UtcNow:O}")));
await builder.Build().RunAsync();
return Environment.ExitCode;
