namespace CoAP;

/// <summary>What traces contain, and whether the context of traces is exchanged with peers.</summary>
/// <remarks>Immutable. Metrics and traces cost nothing unless something listens, such as OpenTelemetry; see <see cref="CoapTelemetry"/>.</remarks>
public sealed record TelemetrySettings
{
    /// <summary>Whether spans contain the query of a request: <c>url.query</c> and the query of <c>url.full</c>. Default: <see langword="false"/>, because queries can contain secrets.</summary>
    public bool IncludesQuery { get; init; }

    /// <summary>
    /// Whether requests of this endpoint carry the context of the current trace, in the options <see cref="Options.TraceParent"/> and
    /// <see cref="Options.TraceState"/>. Default: <see langword="false"/>, because the options tell a peer about your traces and cost 28 bytes or more.
    /// </summary>
    /// <remarks>A request that would not fit into a message with the options is sent without them.</remarks>
    public bool SendsTraceContext { get; init; }

    /// <summary>
    /// Whether received requests continue the trace of their sender. Default: <see langword="false"/>, because any peer could then add spans to your traces,
    /// and decide which requests are sampled. A malformed context is ignored.
    /// </summary>
    public bool TrustsTraceContext { get; init; }
}
