using System.Diagnostics;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Records the span and the duration of a call, once. Used on the lane, except that the caller's thread creates it.</summary>
internal struct CallTelemetry
{
    private readonly Activity? _span;
    private bool _isRecorded;

    /// <summary>Starts the span of a call, below the current one of the caller.</summary>
    public CallTelemetry(CoapCode method, in ChannelKey key, in OptionSet options, in SpanContext channel, TimeProvider time) =>
        _span = CoapTracing.IsWanted ? CoapTracing.StartClient(method, key, options, channel, time.GetUtcNow()) : null;

    /// <summary>Continues the span of a notification; <see langword="null"/> if there is none.</summary>
    public CallTelemetry(Activity? span) => _span = span;

    /// <summary>Whether anything is to be recorded.</summary>
    public readonly bool IsWanted => !_isRecorded && (_span is not null || CoapMeter.IsClientDurationWanted);

    /// <summary>Adds the context of the trace to the options, if the settings ask for it.</summary>
    public readonly OptionSet Carry(in OptionSet options, TelemetrySettings settings) => CoapTracing.Carry(options, _span, settings);

    /// <summary>Records the response. Called if it <see cref="IsWanted"/>.</summary>
    public void Complete(in CallFacts call, CoapCode code, TimeProvider time)
    {
        _isRecorded = true;
        if (CoapMeter.IsClientDurationWanted) { CoapMeter.RecordResponse(call.Method, call.Channel.Scheme, call.Transport, code, call.Elapsed); }
        CoapTracing.End(_span, code, time);
    }

    /// <summary>Records a failure. Called if it <see cref="IsWanted"/>.</summary>
    /// <param name="call">The call.</param>
    /// <param name="error">The failure; <see langword="null"/> if nobody waits any longer.</param>
    /// <param name="time">The clock.</param>
    public void Fail(in CallFacts call, Exception? error, TimeProvider time)
    {
        _isRecorded = true;
        if (error is null && call.Notification is { } received)
        {
            // A newer notification replaces this one, or the reader has left. That is no failure.
            CoapTracing.End(_span, received, time);
            return;
        }
        if (CoapMeter.IsClientDurationWanted)
        {
            var errorType = error is null ? TelemetryNames.Canceled : TelemetryNames.OfError(error);
            CoapMeter.RecordFailure(call.Method, call.Channel.Scheme, call.Transport, errorType, call.Elapsed);
        }
        if (error is null) { CoapTracing.Cancel(_span, time); }
        else { CoapTracing.Fail(_span, error, time); }
    }

    /// <summary>Ends the span of a call that wants no response.</summary>
    public void Stop(TimeProvider time)
    {
        _isRecorded = true;
        CoapTracing.Stop(_span, time);
    }
}
