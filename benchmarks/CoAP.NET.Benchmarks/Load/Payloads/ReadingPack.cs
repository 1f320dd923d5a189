using CoAP.Formats;

namespace CoAP.Benchmarks.Load;

/// <summary>A reading as a SenML pack: the id is the base name, the time is the base time, and each other member is a record.</summary>
internal static class ReadingPack
{
    private const string Sequence = "sequence", Temperature = "temperature", Humidity = "humidity", Pressure = "pressure";

    public static SenmlPack Sample { get; } = Of(Reading.Sample);

    /// <summary>Evaluates a pack and returns that of the next reading.</summary>
    public static SenmlPack Next(SenmlPack pack)
    {
        var reading = Read(pack);
        return Of(reading with { Sequence = reading.Sequence + 1 });
    }

    private static SenmlPack Of(Reading reading) =>
    [
        new() { BaseName = reading.Id + ":", BaseTime = reading.Time.ToUnixTimeMilliseconds() / 1000.0, Name = Sequence, Value = reading.Sequence },
        new() { Name = Temperature, Unit = "Cel", Value = reading.Temperature },
        new() { Name = Humidity, Unit = "%RH", Value = reading.Humidity },
        new() { Name = Pressure, Unit = "Pa", Value = reading.Pressure },
    ];

    private static Reading Read(SenmlPack pack)
    {
        var (id, time) = ("", default(DateTimeOffset));
        double sequence = 0, temperature = 0, humidity = 0, pressure = 0;
        foreach (var measurement in pack.ToMeasurements(TimeProvider.System, isSorted: false))
        {
            var at = measurement.Name.LastIndexOf(':');
            var value = measurement.Value!.Value.Number;
            switch (measurement.Name.AsSpan(at + 1))
            {
                case Sequence:
                    (id, time, sequence) = (measurement.Name[..at], measurement.Time, value);
                    break;
                case Temperature:
                    temperature = value;
                    break;
                case Humidity:
                    humidity = value;
                    break;
                default:
                    pressure = value;
                    break;
            }
        }
        return new() { Id = id, Time = time, Sequence = (int)sequence, Temperature = temperature, Humidity = humidity, Pressure = pressure };
    }
}
