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
    /// <remarks>
    /// A request that would not fit into a message with the options is sent without them.
    /// The numbers of the options are for experiments and "MUST NOT be used in operational deployments" (RFC 7252, section 12.2). Use them only if you control
    /// both endpoints.
    /// </remarks>
    public bool SendsTraceContext { get; init; }

    /// <summary>
    /// Whether received requests continue the trace of their sender. Default: <see langword="false"/>, because any peer could then add spans to your traces,
    /// and decide which requests are sampled. A malformed context is ignored.
    /// </summary>
    /// <remarks>
    /// The numbers of the options are for experiments and "MUST NOT be used in operational deployments" (RFC 7252, section 12.2): a peer may use them for
    /// something else. Use them only if you control both endpoints.
    /// </remarks>
    public bool TrustsTraceContext { get; init; }
}
