using System.Diagnostics;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Observing;

/// <summary>The spans of an observation: one for each registration, and one for each notification, with a link to the registration. Used on the lane only.</summary>
/// <param name="handle">The channel.</param>
/// <param name="method">The method of the registration.</param>
/// <param name="caller">The span of the reader; <see langword="default"/> if there is none.</param>
internal sealed class ObservationTrace(ChannelHandle handle, CoapCode method, ActivityContext caller)
{
    private Activity? _registering;
    private ActivityContext _registration;
    private CoapOption[]? _carried;

    private TimeProvider Time => handle.Lane.Time;

    private TelemetrySettings Settings => handle.Lane.Settings.Telemetry;

    /// <summary>Starts the span of a registration.</summary>
    public void Begin(in OptionSet options)
    {
        CoapTracing.Cancel(_registering, Time);
        _registering = CoapTracing.IsWanted ? Start(ActivityKind.Client, options, caller, default) : null;
        _registration = _registering?.Context ?? default;
    }

    /// <summary>Adds the context of the trace to the options of a request, if the settings ask for it.</summary>
    /// <remarks>
    /// All requests with the token carry the same context, which is that of the first registration: the options of later registrations and of the cancellation
    /// "MUST be identical to those in the registration request" (RFC 7641, section 3.6).
    /// </remarks>
    /// <param name="options">The options.</param>
    /// <param name="request">The request.</param>
    /// <param name="limits">The limits of the channel; <see langword="null"/> if they are not known.</param>
    public OptionSet Carry(in OptionSet options, CoapRequest request, in MessageLimits? limits)
    {
        if (!Settings.SendsTraceContext) { return options; }
        _carried ??= Choose(options, request, limits ?? new((int)MaxMessageSize.Default, handle.IsReliable, SupportsBert: false));
        return options.Without(TraceParent.Declaration.Number).Without(TraceState.Declaration.Number).With(_carried);
    }

    /// <summary>Returns the span of the registration that gets its response, or starts that of a notification. The caller ends it.</summary>
    public Activity? Receive(in OptionSet options)
    {
        var span = _registering ?? (CoapTracing.IsWanted ? Start(ActivityKind.Consumer, options, default, _registration) : null);
        _registering = null;
        return span;
    }

    /// <summary>Records that the registration has failed.</summary>
    public void Fail(Exception error)
    {
        CoapTracing.Fail(_registering, error, Time);
        _registering = null;
    }

    /// <summary>Ends the span of a registration that nobody waits for.</summary>
    public void End()
    {
        CoapTracing.Cancel(_registering, Time);
        _registering = null;
    }

    // The options that fit into a cancellation, whose Observe option is a byte longer than that of a registration.
    private CoapOption[] Choose(in OptionSet options, CoapRequest request, in MessageLimits limits)
    {
        var leaving = options.Without(Observe.Declaration.Number).With(new Observe(1));
        var carried = CoapTracing.Carry(leaving, _registering is { IdFormat: ActivityIdFormat.W3C } ? _registration : caller);
        return [.. CoapTracing.Fit(carried, request, limits, Settings).Where(static option => option is TraceParent or TraceState)];
    }

    private Activity? Start(ActivityKind kind, in OptionSet options, ActivityContext parent, ActivityContext registration) => CoapTracing.StartObserving(
        kind, method, SpanAttributes.OfClient(method, handle.Key, options, handle.Spans), parent, registration, Time.GetUtcNow());
}
