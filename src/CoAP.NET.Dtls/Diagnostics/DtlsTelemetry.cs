namespace CoAP;

/// <summary>The name under which DTLS reports metrics. Its traces are those of the requests; see <see cref="CoapTelemetry"/>.</summary>
public static class DtlsTelemetry
{
    /// <summary>The name of the meter of all instruments of DTLS: "CoAP.NET.Dtls".</summary>
    public const string MeterName = "CoAP.NET.Dtls";
}
