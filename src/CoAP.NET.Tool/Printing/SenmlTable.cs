using System.Globalization;
using CoAP.Formats;
using Spectre.Console;

namespace CoAP.Tool.Printing;

/// <summary>SenML (RFC 8428) as a table of measurements, with resolved names and times.</summary>
internal static class SenmlTable
{
    /// <summary>Reads the measurements of a payload. Returns <see langword="null"/> if the format is another one, or the payload is malformed.</summary>
    public static IReadOnlyList<SenmlMeasurement>? TryRead(uint? format, ReadOnlyMemory<byte> payload)
    {
        try
        {
            var pack = format switch
            {
                ContentFormats.SenmlJson => SenmlJson.Read(payload),
                ContentFormats.SenmlCbor => SenmlCbor.Read(payload),
                _ => null,
            };
            return pack?.ToMeasurements(TimeProvider.System);
        }
        catch (CoapException)
        {
            return null;
        }
    }

    public static Table Create(IReadOnlyList<SenmlMeasurement> measurements)
    {
        var table = new Table().RoundedBorder().AddColumns("name", "value", "unit", "time");
        foreach (var one in measurements)
        {
            table.AddRow(new Text(Printable.Of(one.Name)), new Text(ValueOf(one)), new Text(Printable.Of(one.Unit ?? "")), new Text(TimeOf(one)));
        }
        return table;
    }

    private static string ValueOf(SenmlMeasurement measurement) =>
        measurement.Value is { } value ? Printable.Of(value.ToString())
        : measurement.Sum is { } sum ? string.Create(CultureInfo.InvariantCulture, $"sum {sum}")
        : "";

    private static string TimeOf(SenmlMeasurement measurement) => measurement.TimeOutOfRange is { } seconds
        ? string.Create(CultureInfo.InvariantCulture, $"{seconds} s since 1970")
        : measurement.Time.ToString("yyyy-MM-dd HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
}
