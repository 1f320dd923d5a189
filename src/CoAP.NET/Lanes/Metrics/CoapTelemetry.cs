namespace CoAP;

/// <summary>The names under which the library reports metrics and traces. Pass them to OpenTelemetry or to a listener of .NET.</summary>
public static class CoapTelemetry
{
    /// <summary>The name of the meter of all instruments of this package: "CoAP.NET".</summary>
    public const string MeterName = "CoAP.NET";

    /// <summary>The name of the activity source of requests, sent and received: "CoAP.NET".</summary>
    public const string ActivitySourceName = "CoAP.NET";
}
