using System.Globalization;
using CoAP;
using Microsoft.Extensions.Configuration;

namespace SampleHostedServer;

/// <summary>Keeps the last reading of each sensor. A test can replace it.</summary>
/// <param name="configuration">May contain "DefaultCelsius", the reading of sensors that have not reported yet.</param>
public class SensorStore(IConfiguration configuration)
{
    /// <summary>The most sensors. Anyone who reaches the server can invent ids, so a new one takes the place of the oldest.</summary>
    public const int MaxSensors = 10_000;

    private static readonly Dictionary<int, Reading> Readings = new(SeededComparer<int>.Default);
    private static readonly Queue<int> Ids = new();
    private static readonly Lock Gate = new();

    /// <summary>Returns the last reading of a sensor; <see langword="null"/> if there is none.</summary>
    public virtual Reading? Find(int id)
    {
        lock (Gate)
        {
            if (Readings.TryGetValue(id, out var reading)) { return reading; }
        }
        return configuration["DefaultCelsius"] is { } text ? new Reading(double.Parse(text, CultureInfo.InvariantCulture)) : null;
    }

    /// <summary>Keeps a reading in place of the last one.</summary>
    public virtual void Save(int id, Reading reading)
    {
        lock (Gate)
        {
            if (!Readings.ContainsKey(id))
            {
                if (Readings.Count == MaxSensors) { Readings.Remove(Ids.Dequeue()); }
                Ids.Enqueue(id);
            }
            Readings[id] = reading;
        }
    }
}
