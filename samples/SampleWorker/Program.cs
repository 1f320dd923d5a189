using CoAP.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Samples;
using SampleWorker;

const string Usage = """
    Usage: SampleWorker [--CoapClients:Sensors:KEY VALUE]... [--help]
    Reads sensors/7 of a device every ten seconds. Start SampleHostedServer first, or name another device.
    --CoapClients:Sensors:BaseUri is the device (default: coap://localhost). Other KEYs are properties of CoapClientSettings, too.
    Example: SampleWorker --CoapClients:Sensors:BaseUri coap://192.0.2.1
    """;
if (Help.IsShown(args, Usage)) { return; }

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddCoapClient<Sensors>(settings => settings with { BaseUri = settings.BaseUri ?? "coap://localhost", Timeout = TimeSpan.FromSeconds(10) })
    .AddResilience(CoapResilience.Standard);
builder.Services.AddHostedService<Poller>();
await builder.Build().RunAsync();
