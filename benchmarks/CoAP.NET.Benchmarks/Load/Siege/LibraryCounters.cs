using System.Diagnostics.Metrics;

namespace CoAP.Benchmarks.Load;

/// <summary>The library's own instruments, and the number of exceptions that were thrown.</summary>
internal sealed class LibraryCounters : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly SortedDictionary<string, long> _values = [];
    private long _exceptions;

    public LibraryCounters()
    {
        AppDomain.CurrentDomain.FirstChanceException += (_, _) => Interlocked.Increment(ref _exceptions);
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == "CoAP.NET" && instrument.IsObservable) { listener.EnableMeasurementEvents(instrument); }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => _values[instrument.Name] = _values.GetValueOrDefault(instrument.Name) + value);
        _listener.Start();
    }

    /// <summary>Returns the counters as "name=value", separated by spaces.</summary>
    public string Read()
    {
        _values.Clear();
        _listener.RecordObservableInstruments();
        _values["exceptions"] = Volatile.Read(ref _exceptions);
        return string.Join(' ', _values.Select(static one => $"{one.Key}={one.Value}"));
    }

    public void Dispose() => _listener.Dispose();
}
