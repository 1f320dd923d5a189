using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The progress of an exchange, for the error of a call that ends without a response.</summary>
/// <param name="Awaited">The event that the exchange waits for.</param>
/// <param name="Attempts">The number of transmissions.</param>
/// <param name="IsAcknowledged">Whether the peer has acknowledged the request with an empty message.</param>
/// <param name="Unwanted">The No-Response option of the request, if it has one.</param>
internal readonly record struct ExchangeProgress(AwaitedEvent Awaited, int Attempts, bool IsAcknowledged, NoResponse? Unwanted = null)
{
    /// <summary>Returns the progress of a call that has no exchange.</summary>
    /// <param name="request">The request.</param>
    /// <param name="hasLimits">Whether the limits of the peer are known.</param>
    /// <param name="hasStarted">Whether a message of the call was sent.</param>
    public static ExchangeProgress OfNone(CoapRequest request, bool hasLimits, bool hasStarted) => new(
        !hasLimits ? AwaitedEvent.Connection : hasStarted ? AwaitedEvent.Response : request.Body is not null ? AwaitedEvent.Caller : AwaitedEvent.Turn,
        hasStarted ? 1 : 0, false);
}

/// <summary>The deadline of a call: its total time, its time without progress, or the time of a slow body. Used on the lane only.</summary>
internal struct CallDeadline
{
    private long _end = long.MaxValue;
    private long _quietUntil;
    private long _slowUntil;    // 0 before the first bytes of a body
    private LaneTimer? _timer;

    public CallDeadline()
    {
    }

    /// <summary>Whether the time limits of the call are running.</summary>
    public readonly bool HasBegun => _quietUntil != 0;

    public readonly long EndsAt => Math.Min(Math.Min(_end, _quietUntil), _slowUntil == 0 ? long.MaxValue : _slowUntil);

    /// <summary>Starts the time limits of a call.</summary>
    /// <param name="lane">The lane of the call.</param>
    /// <param name="settings">The settings of the lane.</param>
    /// <param name="request">The request.</param>
    /// <param name="elapsed">The part of the total time that has passed already.</param>
    public void Begin(Lane lane, ExchangeSettings settings, CoapRequest request, TimeSpan elapsed)
    {
        _end = EndOf(lane, settings, request, elapsed.Ticks);
        Touch(lane, settings, request);
    }

    /// <summary>Starts a timer that calls back at the end of the total time, if there is a limit.</summary>
    /// <remarks>An exchange checks its own deadline. A call needs a timer only while it has no exchange: it waits for the peer's limits or its stream.</remarks>
    public void StartTimer(Lane lane, Action over)
    {
        if (_timer is not null || _end == long.MaxValue) { return; }
        _timer = new LaneTimer(lane, over);
        _timer.Start(TimeSpan.FromTicks(Math.Max(0, _end - lane.Now)));
    }

    public readonly void StopTimer() => _timer?.Stop();

    /// <summary>Restarts the time without progress.</summary>
    public void Touch(Lane lane, ExchangeSettings settings, CoapRequest request) => _quietUntil = LaneTimes.Later(lane.Now, IdleTimeOf(settings, request));

    /// <summary>Records that the peer has accepted or sent further bytes of a body.</summary>
    public void Accept(Lane lane, ExchangeSettings settings, CoapRequest request, long bytes)
    {
        Touch(lane, settings, request);
        if (settings.MinRate == 0) { _slowUntil = long.MaxValue; }
        else if (_slowUntil == 0) { _slowUntil = lane.After(settings.RateWindow); }
        else { _slowUntil = lane.SlowUntil(_slowUntil, bytes, settings.MinRate, settings.RateWindow); }
    }

    /// <summary>Continues after a wait for the caller's own stream. The wait does not count.</summary>
    public void Resume(Lane lane, ExchangeSettings settings, CoapRequest request)
    {
        _slowUntil = 0;
        Accept(lane, settings, request, 0);
    }

    /// <summary>Returns the error of a call whose deadline has passed.</summary>
    /// <param name="lane">The lane of the call.</param>
    /// <param name="settings">The settings of the lane.</param>
    /// <param name="request">The request.</param>
    /// <param name="peer">The peer.</param>
    /// <param name="startedAt">The time of the call's first message; negative if none was composed.</param>
    /// <param name="progress">The progress of the call's exchange.</param>
    public readonly CoapTimeoutException Error(
        Lane lane, ExchangeSettings settings, CoapRequest request, in PeerIdentity peer, long startedAt, in ExchangeProgress progress)
    {
        var total = lane.Now >= _end ? CoapRequest.TotalTime(request.Timeout, settings.Timeout) : null;
        var elapsed = total ?? TimeSpan.FromTicks(startedAt < 0 ? 0 : lane.Now - startedAt);
        var name = NameOf(request, peer);
        var awaited = progress.Awaited is AwaitedEvent.Response or AwaitedEvent.Acknowledgement && _slowUntil != 0 ? AwaitedEvent.Body : progress.Awaited;
        var reason = total is not null
            ? CoapTimeoutException.TotalTime(name, elapsed, awaited)
            : lane.Now >= _quietUntil
                ? CoapTimeoutException.IdleTime(name, TimeSpan.FromTicks(IdleTimeOf(settings, request)), awaited, progress.Unwanted)
                : CoapTimeoutException.SlowBody(name, settings.MinRate, settings.RateWindow);
        return new CoapTimeoutException(name, request, reason)
        {
            Attempts = progress.Attempts,
            Elapsed = elapsed,
            IsAcknowledged = progress.IsAcknowledged,
            AwaitedEvent = awaited,
            EndsCall = true,
        };
    }

    /// <summary>Returns the error of an exchange that got no answer in time.</summary>
    public static CoapTimeoutException NoAnswer(CoapRequest request, in PeerIdentity peer, in ExchangeProgress progress, long elapsed)
    {
        var (name, time, isHandshake) = (NameOf(request, peer), TimeSpan.FromTicks(elapsed), progress.Awaited == AwaitedEvent.Handshake);
        return new CoapTimeoutException(name, request, CoapTimeoutException.NoAnswer(name, time, progress.Attempts, progress.IsAcknowledged, isHandshake, progress.Unwanted))
        {
            Attempts = progress.Attempts,
            Elapsed = time,
            IsAcknowledged = progress.IsAcknowledged,
            AwaitedEvent = progress.Awaited,
        };
    }

    // The URI says how the caller names the server. The name of a secured peer is internal.
    private static string NameOf(CoapRequest request, in PeerIdentity peer) => (request.Uri is not null && peer.IsIP ? peer.Named(null) : peer).ToString();

    // A request with its own transmission parameters or response timeout waits at least as long as these allow.
    private static long IdleTimeOf(ExchangeSettings settings, CoapRequest request)
    {
        var idle = settings.RequestIdleTimeout.Ticks;
        if (request.Transmission is null && request.ResponseTimeout is null) { return idle; }
        var transmission = (request.Transmission ?? settings.Transmission).MaxTransmitWait.Ticks;
        return Math.Max(idle, LaneTimes.Later(transmission, request.ResponseTimeout?.Ticks ?? TimeSpan.TicksPerSecond * 10));
    }

    private static long EndOf(Lane lane, ExchangeSettings settings, CoapRequest request, long elapsed)
    {
        if (request.EndsAt is { } timestamp) { return lane.TimeOf(timestamp); }
        // The call may have started before the lane.
        return CoapRequest.TotalTime(request.Timeout, settings.Timeout) is { } total ? LaneTimes.Later(lane.Now, total.Ticks - elapsed) : long.MaxValue;
    }
}
