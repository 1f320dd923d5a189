using CoAP;
using CoAP.Formats;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using SampleHostedServer;
using Samples;

const string Usage = """
    Usage: SampleHostedServer [--DefaultCelsius NUMBER] [--Coap:KEY VALUE]... [--help]
    Serves sensors/{id}: PUT stores a reading such as {"Celsius":21.5}, GET returns it.
    --DefaultCelsius is the reading of sensors that have not reported yet.
    --Coap:KEY sets a property of CoapServerSettings, such as --Coap:Endpoints coap://127.0.0.1:5699 (default: UDP and TCP port 5683, loopback).
    Example: SampleHostedServer --DefaultCelsius 20 --Coap:ShutdownTimeout 10s
    """;
if (Help.IsShown(args, Usage)) { return; }

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddScoped<SensorStore>();
builder.Services.AddCoapServer(settings => settings with { Formats = PayloadFormats.Of(new JsonFormat(SensorJson.Default)) });

var host = builder.Build();
host.MapCoapGet("sensors/{id:int}", (int id, SensorStore store) => store.Find(id));
host.MapCoapPut("sensors/{id:int}", (int id, Reading reading, SensorStore store) => store.Save(id, reading));
await host.RunAsync();
