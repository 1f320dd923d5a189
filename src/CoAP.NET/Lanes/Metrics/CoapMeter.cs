using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace CoAP.Lanes;

/// <summary>The meter "CoAP.NET": its histograms, and the counters of all lanes.</summary>
internal static class CoapMeter
{
    // The boundaries that OpenTelemetry advises for requests of HTTP, and more above them: retransmissions take up to 93 s.
    private static readonly InstrumentAdvice<double> Seconds = new()
    {
        HistogramBucketBoundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 25, 50, 100],
    };

    private static readonly Meter Meter = new(CoapTelemetry.MeterName);

    private static readonly Histogram<double> ClientDuration = Meter.CreateHistogram(
        "coap.client.request.duration", "s", "The time from the first transmission of a request to its response, its failure, or its cancellation.", tags: null, Seconds);

    private static readonly Histogram<double> ServerDuration = Meter.CreateHistogram(
        "coap.server.request.duration", "s", "The time from the reception of a request to the response of its handler, to its refusal, or to its end without a response.", tags: null, Seconds);

    static CoapMeter() => CoapInstruments.AddTo(Meter);

    public static bool IsServerDurationWanted => ServerDuration.Enabled;

    public static bool IsClientDurationWanted => ClientDuration.Enabled;

    /// <summary>Adds the counters of a lane to the meter.</summary>
    public static void Add(LaneCounters lane) => LaneCounters.Group.Add(lane);

    /// <summary>Records a request of this endpoint that got a response.</summary>
    public static void RecordResponse(CoapCode method, string scheme, string transport, CoapCode code, TimeSpan duration)
    {
        var tags = Tags(method, scheme, transport, code);
        if (!code.IsSuccess) { tags.Add("error.type", code.ToString()); }
        ClientDuration.Record(duration.TotalSeconds, tags);
    }

    /// <summary>Records a request of this endpoint that got no response.</summary>
    public static void RecordFailure(CoapCode method, string scheme, string transport, string errorType, TimeSpan duration)
    {
        var tags = Tags(method, scheme, transport);
        tags.Add("error.type", errorType);
        ClientDuration.Record(duration.TotalSeconds, tags);
    }

    /// <summary>Records a received request.</summary>
    /// <param name="method">The method.</param>
    /// <param name="scheme">The scheme of URIs with the transport and the security of the channel. Never Proxy-Scheme, which the peer chooses.</param>
    /// <param name="transport">The value of <c>network.transport</c>.</param>
    /// <param name="route">The template of the resource; <see langword="null"/> if there is none. Never the path, which the peer chooses.</param>
    /// <param name="code">The code of the response; <see langword="null"/> if there was none.</param>
    /// <param name="errorType">The type of the error; <see langword="null"/> if the endpoint was not at fault.</param>
    /// <param name="duration">The time since the reception.</param>
    public static void RecordAnswer(
        CoapCode method, string scheme, string transport, string? route, CoapCode? code, string? errorType, TimeSpan duration)
    {
        var tags = Tags(method, scheme, transport, code);
        if (route is not null) { tags.Add("coap.route", route); }
        if (errorType is not null) { tags.Add("error.type", errorType); }
        ServerDuration.Record(duration.TotalSeconds, tags);
    }

    private static TagList Tags(CoapCode method, string scheme, string transport, CoapCode? code = null)
    {
        var tags = new TagList
        {
            { "coap.request.method", TelemetryNames.OfMethod(method) }, { "network.transport", transport }, { "url.scheme", scheme },
        };
        if (code is { } response) { tags.Add("coap.response.code", response.ToString()); }
        return tags;
    }
}
