using System.Diagnostics;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Records the span and the duration of a call, once. Used on the lane, except that the caller's thread creates it.</summary>
internal readonly struct CallTelemetry
{
    private readonly Activity? _span;

    /// <summary>Starts the span of a call, below the current one of the caller.</summary>
    public CallTelemetry(ChannelHandle channel, CoapRequest request, in OptionSet options) =>
        _span = CoapTracing.IsWanted ? CoapTracing.StartClient(request.Method, channel.Key, options, channel.Spans, channel.Lane.Time.GetUtcNow()) : null;

    /// <summary>Continues the span of a notification; <see langword="null"/> if there is none.</summary>
    public CallTelemetry(Activity? span) => _span = span;

    /// <summary>Adds the context of the trace to the options, if the settings ask for it.</summary>
    public OptionSet Carry(ClientCall call, in OptionSet options) => CoapTracing.Carry(options, _span, call.Lane.Settings.Telemetry);

    /// <summary>Records the response.</summary>
    public void Complete(ClientCall call, CoapCode code, TimeSpan elapsed)
    {
        if (call.IsRecorded) { return; }
        call.IsRecorded = true;
        if (CoapMeter.IsClientDurationWanted) { CoapMeter.RecordResponse(call.Request.Method, call.Scheme, TransportOf(call), code, elapsed); }
        CoapTracing.End(_span, code, call.Lane.Time);
    }

    /// <summary>Records a failure.</summary>
    /// <param name="call">The call.</param>
    /// <param name="error">The failure; <see langword="null"/> if nobody waits any longer.</param>
    public void Fail(ClientCall call, Exception? error)
    {
        if (call.IsRecorded) { return; }
        call.IsRecorded = true;
        if (error is null && call.First is { } notification)
        {
            // A newer notification replaces this one, or the reader has left. That is no failure.
            CoapTracing.End(_span, notification.Code, call.Lane.Time);
            return;
        }
        if (CoapMeter.IsClientDurationWanted)
        {
            var errorType = error is null ? TelemetryNames.Canceled : TelemetryNames.OfError(error);
            CoapMeter.RecordFailure(call.Request.Method, call.Scheme, TransportOf(call), errorType, call.Elapsed);
        }
        if (error is null) { CoapTracing.Cancel(_span, call.Lane.Time); }
        else { CoapTracing.Fail(_span, error, call.Lane.Time); }
    }

    /// <summary>Ends the span of a call that wants no response.</summary>
    public void Stop(ClientCall call)
    {
        call.IsRecorded = true;
        CoapTracing.Stop(_span, call.Lane.Time);
    }

    private static string TransportOf(ClientCall call) => TelemetryNames.OfTransport(call.Key.Peer, call.Lane.IsReliable);
}
