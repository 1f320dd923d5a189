using System.Diagnostics.Metrics;
using System.Globalization;

namespace CoAP.Measurements.Siege;

/// <summary>What the library's own meter says, and how many exceptions were thrown.</summary>
internal sealed class Counters : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly SortedDictionary<string, long> _values = [];

    private long _exceptions;

    public Counters()
    {
        AppDomain.CurrentDomain.FirstChanceException += (_, _) => Interlocked.Increment(ref _exceptions);
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == "CoAP.NET" && instrument.IsObservable) { listener.EnableMeasurementEvents(instrument); }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => _values[instrument.Name] = _values.GetValueOrDefault(instrument.Name) + value);
        _listener.Start();
    }

    /// <summary>All of them as "name=value", one behind the other.</summary>
    public string Read()
    {
        _values.Clear();
        _listener.RecordObservableInstruments();
        _values["exceptions"] = Volatile.Read(ref _exceptions);
        return string.Join(' ', _values.Select(static one => string.Create(CultureInfo.InvariantCulture, $"{one.Key}={one.Value}")));
    }

    public void Dispose() => _listener.Dispose();
}
