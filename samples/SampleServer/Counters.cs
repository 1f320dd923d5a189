using System.Diagnostics.Metrics;
using System.Globalization;

namespace SampleServer;

/// <summary>
/// Writes the counters of the library and of DTLS to the standard error at an interval, one line "name value" each, summed over types and codes.
/// Also writes the number and length of the garbage collector's pauses and the bytes allocated since the start.
/// </summary>
internal sealed class Counters : IDisposable
{
    private const string Library = "CoAP.NET", Dtls = "CoAP.NET.Dtls";

    private readonly Dictionary<string, double> _totals = [];
    private readonly SortedDictionary<string, double> _values = new(StringComparer.Ordinal);
    private readonly MeterListener _listener = new();
    private readonly Pauses _pauses = new();
    private readonly Timer _timer;

    public Counters(TimeSpan period)
    {
        // The histograms of durations would add a cost to each request.
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            var isCounter = instrument.Meter.Name == Library ? instrument.IsObservable : instrument.Meter.Name == Dtls;
            if (isCounter) { listener.EnableMeasurementEvents(instrument); }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => Add(instrument, value));
        _listener.SetMeasurementEventCallback<double>((instrument, value, _, _) => Add(instrument, value));
        _listener.Start();
        _timer = new Timer(_ => Write(), null, period, period);
    }

    public void Dispose()
    {
        _timer.Dispose();
        Write();
        _listener.Dispose();
    }

    private void Write()
    {
        lock (_values)
        {
            _values.Clear();
            foreach (var (name, total) in _totals) { _values[name] = total; }
            _listener.RecordObservableInstruments();
            var (count, longest) = _pauses.Read();
            _values["dotnet.pauses"] = count;
            _values["dotnet.pauses.longest_ms"] = longest.TotalMilliseconds;
            _values["dotnet.allocated"] = GC.GetTotalAllocatedBytes();
            _values["dotnet.collections.gen1"] = GC.CollectionCount(1);
            foreach (var (name, value) in _values) { Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name} {value:0.###}")); }
        }
    }

    // Observable counters give their totals each time, the others what has been added since.
    private void Add(Instrument instrument, double value)
    {
        lock (_values)
        {
            IDictionary<string, double> values = instrument.IsObservable ? _values : _totals;
            values[instrument.Name] = values.TryGetValue(instrument.Name, out var earlier) ? earlier + value : value;
        }
    }
}
