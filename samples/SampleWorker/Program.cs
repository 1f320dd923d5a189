using System.Collections.Concurrent;
using System.Text.Json.Serialization;
using CoAP;
using CoAP.Formats;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddScoped<SensorStore>();
builder.Services.AddCoapServer(settings => settings with { Formats = PayloadFormats.Of(new JsonFormat(SensorJson.Default)) });

var host = builder.Build();
host.MapCoapGet("sensors/{id:int}", (int id, SensorStore store) => store.Find(id));
host.MapCoapPut("sensors/{id:int}", (int id, Reading reading, SensorStore store) => store.Save(id, reading));
await host.RunAsync();

internal sealed record Reading(double Celsius);

internal sealed class SensorStore
{
    private static readonly ConcurrentDictionary<int, Reading> Readings = new();

    public Reading? Find(int id) => Readings.GetValueOrDefault(id);

    public void Save(int id, Reading reading) => Readings[id] = reading;
}

[JsonSerializable(typeof(Reading))]
internal sealed partial class SensorJson : JsonSerializerContext;
