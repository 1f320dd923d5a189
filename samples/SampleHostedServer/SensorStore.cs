using System.Collections.Concurrent;
using System.Globalization;
using CoAP;
using Microsoft.Extensions.Configuration;

namespace SampleHostedServer;

/// <summary>Keeps the last reading of each sensor. A test can replace it.</summary>
/// <param name="configuration">May contain "DefaultCelsius", the reading of sensors that have not reported yet.</param>
public class SensorStore(IConfiguration configuration)
{
    private static readonly ConcurrentDictionary<int, Reading> Readings = new(SeededComparer<int>.Default);

    /// <summary>Returns the last reading of a sensor; <see langword="null"/> if there is none.</summary>
    public virtual Reading? Find(int id) => Readings.GetValueOrDefault(id)
        ?? (configuration["DefaultCelsius"] is { } text ? new Reading(double.Parse(text, CultureInfo.InvariantCulture)) : null);

    /// <summary>Keeps a reading in place of the last one.</summary>
    public virtual void Save(int id, Reading reading) => Readings[id] = reading;
}
