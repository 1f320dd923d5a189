using System.Text.Json.Serialization;
using CoAP;
using CoAP.Formats;

await using var client = new CoapClient(new CoapClientSettings { Formats = PayloadFormats.Of(new JsonFormat(SensorJson.Default)) });
await client.PutAsync("coap://localhost/sensors/7", new Reading(21.5));
await foreach (var reading in client.ObserveAsync<Reading>("coap://localhost/sensors/7")) { Console.WriteLine($"{reading.Celsius} °C"); }

internal sealed record Reading(double Celsius);

[JsonSerializable(typeof(Reading))]
internal sealed partial class SensorJson : JsonSerializerContext;
