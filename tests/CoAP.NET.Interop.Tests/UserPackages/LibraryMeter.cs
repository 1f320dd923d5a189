using System.Diagnostics.Metrics;

namespace CoAP.Interop.Tests.UserPackages;

/// <summary>Reads the instruments of the library, which count for the whole process.</summary>
internal sealed class LibraryMeter : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly Dictionary<(string Instrument, string? End), long> _values = [];

    public LibraryMeter()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "CoAP.NET") { listener.EnableMeasurementEvents(instrument); }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            string? end = null;
            foreach (var (name, text) in tags)
            {
                if (name == "coap.request.end") { end = text as string; }
            }
            _values[(instrument.Name, end)] = value;
        });
        _listener.Start();
    }

    /// <summary>Returns the current value of an instrument; of <c>coap.request.ended</c> the requests that ended in one way.</summary>
    public long Read(string instrument, string? end = null)
    {
        _listener.RecordObservableInstruments();
        return _values.GetValueOrDefault((instrument, end));
    }

    public void Dispose() => _listener.Dispose();
}
