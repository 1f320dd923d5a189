using System.Diagnostics;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The span and the duration of a received request, or the span of a notification. Exists only if something listens.</summary>
/// <remarks>
/// A block of a transfer is a message, but not a request of its own. A request has a span and a duration if steps or a handler were called for it, or if it was
/// refused. Its code is that of the response that is sent, which can differ from the response of the handler. Only the lane uses the object, except that <see cref="Start"/> and <see cref="Fail"/> are called where the handler runs.
/// </remarks>
internal sealed class RequestTelemetry
{
    private readonly ExchangeLane _lane;
    private readonly CoapMessage _message;
    private readonly ChannelKey _key;
    private readonly string _scheme;
    private readonly DateTimeOffset _receivedAt;
    private readonly long _startedAt;
    private ActivityContext _registration;
    private bool _isNotification;
    private Activity? _activity;
    private string? _error;
    private CoapCode? _answer;      // the response of the handler
    private CoapCode? _replacement; // the response that is sent instead of that of the mesh
    private TimeSpan _duration;     // until the handler has answered
    private bool _isStarted;        // the span can be missing because a sampler declined it
    private bool _isDone;

    private RequestTelemetry(ExchangeLane lane, CoapMessage message, in ChannelKey key, string scheme)
    {
        (_lane, _message, _key, _scheme) = (lane, message, key, scheme);
        (_receivedAt, _startedAt) = (lane.Time.GetUtcNow(), lane.Time.GetTimestamp());
    }

    private TelemetrySettings Settings => _lane.Settings.Telemetry;

    private TimeSpan Elapsed => _lane.Time.GetElapsedTime(_startedAt);

    /// <summary>Returns the telemetry of a request that has arrived; <see langword="null"/> if nothing listens.</summary>
    public static RequestTelemetry? Of(ExchangeLane lane, in ReceivedMessage item, LaneChannel? connection) =>
        CoapTracing.IsWanted || CoapMeter.IsServerDurationWanted
            ? new RequestTelemetry(lane, item.Message, item.Key, connection?.Scheme ?? SpanAttributes.SchemeOf(item.Key.Peer))
            : null;

    /// <summary>Returns the telemetry of a request that the endpoint makes to itself for observers. Call it on that of the request that registered them.</summary>
    public RequestTelemetry? ForNotification() => CoapTracing.IsWanted
        ? new RequestTelemetry(_lane, _message, _key, _scheme) { _isNotification = true, _registration = _activity?.Context ?? _registration }
        : null;

    /// <summary>Starts the span and makes it current. Call it in an async method, which restores the current span when it returns.</summary>
    public void Start(string? route)
    {
        if (_isStarted || !CoapTracing.IsWanted) { return; }
        _isStarted = true;
        var parent = default(ActivityContext);
        if (Settings.TrustsTraceContext && !_isNotification)
        {
            _message.Options.Get<TraceParent>()?.TryGetContext(_message.Options.Get<TraceState>()?.Value, out parent);
        }
        var tags = SpanAttributes.OfServer(_message, _key, route, new SpanContext(_scheme, _lane.IsReliable, Settings));
        var method = TelemetryNames.OfSpan(_message.Code);
        _activity = CoapTracing.StartServer(route is null ? method : $"{method} {route}", tags, _receivedAt, parent, _registration, _isNotification);
        if (_activity is not null) { Activity.Current = _activity; }
    }

    /// <summary>Records an exception of user code.</summary>
    public void Fail(Exception exception)
    {
        _error = TelemetryNames.OfError(exception);
        _activity?.AddException(exception);
    }

    /// <summary>Records that the handler has answered. If the answer is for the peer, a later call of <see cref="Reply"/> records the code that is sent.</summary>
    /// <param name="code">The code of the answer.</param>
    /// <param name="isForPeer">Whether the answer is for the peer, and not for another part of the endpoint.</param>
    /// <param name="route">The template of the resource.</param>
    public void Answer(CoapCode code, bool isForPeer, string? route)
    {
        if (_isDone || _answer is not null) { return; }
        _answer = code;
        _duration = Elapsed;
        if (!isForPeer) { Complete(_answer, route); }
    }

    /// <summary>Records that the transport sends a response instead of the one that it was given.</summary>
    public void Replace(CoapCode code) => _replacement = code;

    /// <summary>Records that a response was sent. Does nothing if it is neither that of the handler nor a refusal, such as a further block of a body.</summary>
    /// <remarks>
    /// Anybody can forge any number of source addresses. So a request of an unverified address that is challenged, or refused by a limit, is counted and
    /// has no span.
    /// </remarks>
    /// <param name="code">The code of the response.</param>
    /// <param name="end">How the request has ended.</param>
    /// <param name="route">The template of the resource.</param>
    /// <param name="isForgeable">Whether the request is of an unverified address, and was challenged or refused by a limit.</param>
    public void Reply(CoapCode code, RequestEnd end, string? route, bool isForgeable)
    {
        if (_isDone || end == RequestEnd.Dropped) { return; }
        var isRefused = end is RequestEnd.Refused or RequestEnd.Failed;
        if (!isRefused && _answer is null) { return; }
        if (isRefused && !isForgeable)
        {
            var current = Activity.Current;
            Start(route);
            Activity.Current = current;
        }
        Complete(_replacement ?? code, route);
    }

    /// <summary>Records that the request ended without a response. The lack of a response that nobody wants is no error.</summary>
    public void Abandon(RequestEnd end, string? route)
    {
        if (_isDone) { return; }
        if (end == RequestEnd.Suppressed) { Complete(_answer, route); }
        else { Complete(null, route, TelemetryNames.OfEnd(end)); }
    }

    private void Complete(CoapCode? code, string? route, string? failure = null)
    {
        _isDone = true;
        var duration = _answer is null ? Elapsed : _duration;
        var error = failure ?? (code is { IsServerError: true } ? _error ?? code.ToString() : null);
        if (!_isNotification && CoapMeter.IsServerDurationWanted)
        {
            CoapMeter.RecordAnswer(_message.Code, _scheme, TelemetryNames.OfTransport(_key.Peer, _lane.IsReliable), route, code, error, duration);
        }
        if (_activity is null) { return; }
        if (code is not null) { _activity.SetTag("coap.response.code", code.ToString()); }
        if (error is not null) { _activity.SetTag("error.type", error).SetStatus(ActivityStatusCode.Error); }
        CoapTracing.Stop(_activity, _receivedAt + duration);
    }
}
