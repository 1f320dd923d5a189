using System.Diagnostics.Metrics;

namespace CoAP.Load;

/// <summary>The server that is attacked: over every transport, with time limits that expire within a run.</summary>
internal static class SiegeService
{
    /// <summary>No time limit is longer than twice this.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    public static Task<IService> StartAsync(ServiceValues values)
    {
        var settings = Limits.Server with
        {
            Mode = values.OneOf<ServerMode>("mode"),
            Tls = new TlsServerSettings { HandshakeTimeout = Patience },
            Stream = new StreamSettings
            {
                CsmTimeout = Patience,
                MessageTimeout = Patience,
                IdleTimeout = 2 * Patience,
                PingInterval = Patience,
                PingTimeout = Patience,
                ReleaseTimeout = Patience,
            },
        };
        var counters = new Counters();
        return CoapService.StartAsync(settings, ["udp", "tcp", "tls", "unix", "ws"], Map, question => question == "counters" ? counters.Read() : "");
    }

    private static void Map(CoapServer server)
    {
        server.Resources.At("hello").Get(static (_, _) => new(Response.Content("Hello, CoAP!")));
        server.Resources.At("large").Get(static (_, _) => new(Response.Content(new byte[60_000], ContentFormats.OctetStream)));
    }

    /// <summary>The library's own instruments, and the number of exceptions that were thrown.</summary>
    private sealed class Counters : IDisposable
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
}
