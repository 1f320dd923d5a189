using System.Diagnostics;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Observing;

/// <summary>The spans of an observation: one for each registration, and one for each notification, with a link to the registration. Used on the lane only.</summary>
internal sealed class ObservationTrace(ChannelHandle handle, CoapCode method)
{
    private Activity? _registering;
    private ActivityContext _registration;

    private TimeProvider Time => handle.Lane.Time;

    /// <summary>
    /// Starts the span of a registration. Returns the options of its request, with the context of the trace if the settings ask for it and it fits into the
    /// message.
    /// </summary>
    /// <param name="options">The options.</param>
    /// <param name="request">The request.</param>
    /// <param name="limits">The limits of the channel; <see langword="null"/> if they are not known.</param>
    public OptionSet Begin(in OptionSet options, CoapRequest request, in MessageLimits? limits)
    {
        CoapTracing.Cancel(_registering, Time);
        _registering = CoapTracing.IsWanted ? Start(options) : null;
        _registration = _registering?.Context ?? default;
        var settings = handle.Lane.Settings.Telemetry;
        var carried = CoapTracing.Carry(options, _registering, settings);
        return CoapTracing.Fit(carried, request, limits ?? new((int)MaxMessageSize.Default, handle.IsReliable, SupportsBert: false), settings);
    }

    /// <summary>Records the response to the registration, or a notification.</summary>
    public void Receive(CoapCode code, in OptionSet options)
    {
        if (_registering is not null) { CoapTracing.End(_registering, code, Time); }
        else if (CoapTracing.IsWanted && _registration != default) { CoapTracing.End(Start(options, _registration), code, Time); }
        _registering = null;
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

    private Activity? Start(in OptionSet options, ActivityContext registration = default) =>
        CoapTracing.StartClient(method, handle.Key, options, handle.Spans, Time.GetUtcNow(), registration);
}
