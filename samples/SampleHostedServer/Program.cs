using CoAP;
using CoAP.Formats;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using SampleHostedServer;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddScoped<SensorStore>();
builder.Services.AddCoapServer(settings => settings with { Formats = PayloadFormats.Of(new JsonFormat(SensorJson.Default)) });

var host = builder.Build();
host.MapCoapGet("sensors/{id:int}", (int id, SensorStore store) => store.Find(id));
host.MapCoapPut("sensors/{id:int}", (int id, Reading reading, SensorStore store) => store.Save(id, reading));
await host.RunAsync();
