using System.Diagnostics.Metrics;

namespace CoAP.Tool.Benchmarking;

/// <summary>Reads the library's counter of retransmissions.</summary>
internal sealed class RetransmissionCounter : IDisposable
{
    private const string Instrument = "coap.retransmissions";

    private readonly MeterListener _listener = new();
    private readonly Dictionary<Instrument, long> _totals = [];
    private long _added;

    public RetransmissionCounter()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == CoapTelemetry.MeterName && instrument.Name == Instrument) { listener.EnableMeasurementEvents(instrument); }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, _, _) =>
        {
            if (instrument.IsObservable) { _totals[instrument] = value; }
            else { Interlocked.Add(ref _added, value); }
        });
        _listener.Start();
    }

    /// <summary>The number of retransmissions of this process so far. Not safe for concurrent use.</summary>
    public long Count
    {
        get
        {
            _listener.RecordObservableInstruments();
            return _totals.Values.Sum() + Interlocked.Read(ref _added);
        }
    }

    public void Dispose() => _listener.Dispose();
}
