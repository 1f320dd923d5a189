using CoAP;
using CoAP.Formats;

namespace SampleServer;

/// <summary>The code of the page "SenML".</summary>
internal static class Senml
{
    public static PayloadFormats Formats { get; } = PayloadFormats.Of(new SenmlCborFormat(), new SenmlJsonFormat());

    public static async Task ServeAsync(Func<double> readTemperature, Func<bool> isDoorOpen, CancellationToken cancellationToken)
    {
        await using var server = new CoapServer(new CoapServerSettings { Formats = Formats });
        server.Resources.At("sensors").Get(_ => Response.Content(new SenmlPack
        {
            new SenmlRecord { BaseName = "urn:dev:ow:10e2073a01080063:", Name = "temperature", Unit = "Cel", Value = readTemperature() },
            new SenmlRecord { Name = "door", BooleanValue = isDoorOpen() },
        }));
        await server.RunAsync(cancellationToken);
    }

    public static async Task ReadAsync(CancellationToken cancellationToken)
    {
        await using var client = new CoapClient(new CoapClientSettings { Formats = Formats });
        var pack = await client.GetAsync<SenmlPack>("coap://localhost/sensors", cancellationToken);
        foreach (var measurement in pack.ToMeasurements(TimeProvider.System))
        {
            Console.WriteLine($"{measurement.Time:O} {measurement.Name}: {measurement.Value} {measurement.Unit}");
        }
    }

    public static void Collect(ResourceMap resources, Action<SenmlMeasurement> store)
    {
        resources.At("collector").Post(request =>
        {
            var pack = request.Read<SenmlPack>();
            foreach (var measurement in pack.ToMeasurements(TimeProvider.System)) { store(measurement); }
            return Response.Changed;
        });
    }

    public static void MapSetPoint(ResourceMap resources, Action<double> heatTo)
    {
        resources.At("thermostat").Put(request =>
        {
            foreach (var parameter in request.Read<SenmlPack>().ToMeasurements(TimeProvider.System))
            {
                if (parameter is { Name: "set-point", Value: { } value }) { heatTo(value.Number); }
            }
            return Response.Changed;
        });
    }

    public static SenmlPack Archive(SenmlPack pack) => pack.Resolve(TimeProvider.System);

    public static SenmlPack CreateSeries(DateTimeOffset start, double[] temperatures)
    {
        var series = temperatures.Select((temperature, i) =>
            new SenmlMeasurement("urn:dev:ow:1:temperature", start.AddSeconds(10 * i), temperature) { Unit = SenmlUnits.DegreesCelsius });
        return SenmlPack.Of(series);
    }

    public static async Task FollowAsync(Stream stream, Action<SenmlMeasurement> store, CancellationToken cancellationToken)
    {
        var resolver = new SenmlResolver();
        await foreach (var record in SenmlStream.ReadAsync(stream, ContentFormats.SensmlJson, cancellationToken: cancellationToken))
        {
            if (resolver.ToMeasurement(record, DateTimeOffset.UtcNow) is { } measurement) { store(measurement); }
        }
    }

    public static PayloadFormats Strict { get; } = PayloadFormats.Of(
        new SenmlCborFormat(new PayloadLimits { MaxSize = 64 << 10 }, new SenmlSettings { MaxRecords = 500 }));
}
