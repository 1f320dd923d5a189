using CoAP.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using SampleWorker;

// A service that asks a device for its readings. Start SampleHostedServer first, or pass --CoapClients:Sensors:BaseUri coap://192.0.2.1.
var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddCoapClient<Sensors>(settings => settings with { BaseUri = settings.BaseUri ?? "coap://localhost", Timeout = TimeSpan.FromSeconds(10) })
    .AddResilience(CoapResilience.Standard);
builder.Services.AddHostedService<Poller>();
await builder.Build().RunAsync();
