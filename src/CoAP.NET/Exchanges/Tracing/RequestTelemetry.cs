using System.Diagnostics;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The span and the duration of a received request, or the span of a notification. Exists only if something listens.</summary>
/// <remarks>
/// A block of a transfer is a message, but not a request of its own. A request has a span and a duration if steps or a handler were called for it, or if it was
/// refused. Only the lane uses the object, except that <see cref="Start"/> and <see cref="Fail"/> are called where the handler runs.
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
    private bool _isDone;

    private RequestTelemetry(ExchangeLane lane, CoapMessage message, in ChannelKey key, string scheme)
    {
        (_lane, _message, _key, _scheme) = (lane, message, key, scheme);
        (_receivedAt, _startedAt) = (lane.Time.GetUtcNow(), lane.Time.GetTimestamp());
    }

    private TelemetrySettings Settings => _lane.Settings.Telemetry;

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
        if (_activity is not null || !CoapTracing.IsWanted) { return; }
        var parent = default(ActivityContext);
        if (Settings.TrustsTraceContext && !_isNotification)
        {
            _message.Options.Get<TraceParent>()?.TryGetContext(_message.Options.Get<TraceState>()?.Value, out parent);
        }
        var method = TelemetryNames.OfMethod(_message.Code);
        _activity = CoapTracing.StartServer(route is null ? method : $"{method} {route}", _receivedAt, parent, _registration, _isNotification);
        if (_activity is null) { return; }
        SpanAttributes.DescribeServer(_activity, _message, _key, new SpanContext(_scheme, _lane.IsReliable, Settings));
        if (route is not null) { _activity.SetTag("coap.route", route); }
        Activity.Current = _activity;
    }

    /// <summary>Records an exception of user code.</summary>
    public void Fail(Exception exception)
    {
        _error = TelemetryNames.OfError(exception);
        _activity?.AddException(exception);
    }

    /// <summary>Records the response of the handler. Further calls do nothing.</summary>
    public void Complete(CoapCode code, string? route)
    {
        if (_isDone) { return; }
        _isDone = true;
        var error = code.IsServerError ? _error ?? code.ToString() : null;
        if (!_isNotification && CoapMeter.IsServerDurationWanted)
        {
            var transport = TelemetryNames.OfTransport(_key.Peer, _lane.IsReliable);
            CoapMeter.RecordAnswer(_message.Code, transport, route, code, error, _lane.Time.GetElapsedTime(_startedAt));
        }
        _activity?.SetTag("coap.response.code", code.ToString());
        if (error is not null) { _activity?.SetTag("error.type", error).SetStatus(ActivityStatusCode.Error); }
        CoapTracing.Stop(_activity, _lane.Time);
    }

    /// <summary>Records that the request was refused: no handler was called, and the response is an error.</summary>
    /// <remarks>
    /// Anybody can forge any number of source addresses. So a request of an unverified address that is challenged, or refused by a limit, is counted and
    /// has no span.
    /// </remarks>
    public void Refuse(IncomingRequest request, CoapResponse response)
    {
        if (_isDone) { return; }
        var route = request.Route?.Template;
        if (!IsOfLimit(response) || !request.Account.IsUnverified)
        {
            var current = Activity.Current;
            Start(route);
            Activity.Current = current;
        }
        Complete(response.Code, route);
    }

    private static bool IsOfLimit(CoapResponse response) =>
        response.IsChallenge || response.Code == ResponseCode.TooManyRequests || response.Code == ResponseCode.ServiceUnavailable;

    /// <summary>Records that the request ended without a response.</summary>
    public void Abandon(RequestEnd end)
    {
        if (_isDone || _activity is null) { return; }
        _isDone = true;
        _activity.SetTag("error.type", end.ToString()).SetStatus(ActivityStatusCode.Error);
        CoapTracing.Stop(_activity, _lane.Time);
    }
}
