using System.Collections.Concurrent;
using System.Text.Json.Serialization;
using CoAP;
using CoAP.Formats;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddSingleton(new ConcurrentDictionary<int, Reading>(SeededComparer<int>.Default));
builder.Services.AddCoapServer(settings => settings with { Formats = PayloadFormats.Of(new JsonFormat(SensorJson.Default)) });

var host = builder.Build();
var sensors = host.MapCoapGet("sensors/{id:range(1,1000)}", (int id, ConcurrentDictionary<int, Reading> readings) => readings.GetValueOrDefault(id)).Observable();
host.MapCoapPut("sensors/{id:range(1,1000)}", (int id, Reading reading, ConcurrentDictionary<int, Reading> readings) =>
{
    readings[id] = reading;
    sensors.NotifyChanged($"sensors/{id}");
});
await host.RunAsync();

public sealed record Reading(double Celsius);

[JsonSerializable(typeof(Reading))]
public sealed partial class SensorJson : JsonSerializerContext;
