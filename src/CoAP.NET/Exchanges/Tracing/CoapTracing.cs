using System.Diagnostics;
using CoAP.Blockwise;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Creates the activities of the source "CoAP.NET", under the conventions of OpenTelemetry. Creates none if there is no listener.</summary>
/// <remarks>A lane serves many peers on one thread. So no method changes <see cref="Activity.Current"/> of its caller.</remarks>
internal static class CoapTracing
{
    // In bytes: Block1, Block2, Size1 and Request-Tag.
    private const int MaxBlockOptions = 28;

    private static readonly ActivitySource Source = new(CoapTelemetry.ActivitySourceName);

    public static bool IsWanted => Source.HasListeners();

    /// <summary>Starts the span of a request that this endpoint sends, below the current span of the caller.</summary>
    /// <param name="method">The method.</param>
    /// <param name="key">The peer.</param>
    /// <param name="options">All options of the request.</param>
    /// <param name="context">The channel.</param>
    /// <param name="startedAt">The start of the span.</param>
    public static Activity? StartClient(CoapCode method, in ChannelKey key, in OptionSet options, SpanContext context, DateTimeOffset startedAt)
    {
        var current = Activity.Current;
        var tags = SpanAttributes.OfClient(method, key, options, context);
        var activity = Source.StartActivity(TelemetryNames.OfSpan(method), ActivityKind.Client, parentContext: default, tags, links: null, startedAt);
        Activity.Current = current;
        return activity;
    }

    /// <summary>Starts the span of a registration, or of a notification that this endpoint receives. Called on the lane.</summary>
    /// <param name="kind"><see cref="ActivityKind.Client"/> or <see cref="ActivityKind.Consumer"/>.</param>
    /// <param name="method">The method of the registration.</param>
    /// <param name="tags">The attributes.</param>
    /// <param name="parent">The span of the caller that observes; <see langword="default"/> for notifications, or if there is none.</param>
    /// <param name="registration">The span of the registration that a notification belongs to; <see langword="default"/> if there is none.</param>
    /// <param name="startedAt">The start of the span.</param>
    public static Activity? StartObserving(
        ActivityKind kind, CoapCode method, List<KeyValuePair<string, object?>> tags, ActivityContext parent, ActivityContext registration,
        DateTimeOffset startedAt) => StartBelow(parent, TelemetryNames.OfSpan(method), kind, tags, registration, startedAt);

    /// <summary>Starts the span of a received request, or of a notification that is sent.</summary>
    /// <param name="name">The name of the span.</param>
    /// <param name="tags">The attributes.</param>
    /// <param name="receivedAt">The start of the span.</param>
    /// <param name="parent">The span of the sender; <see langword="default"/> if it is unknown or not trusted.</param>
    /// <param name="registration">The span of the registration that a notification belongs to; <see langword="default"/> for none.</param>
    /// <param name="isNotification">Whether this is a notification.</param>
    public static Activity? StartServer(
        string name, List<KeyValuePair<string, object?>> tags, DateTimeOffset receivedAt, ActivityContext parent, ActivityContext registration,
        bool isNotification) => StartBelow(parent, name, isNotification ? ActivityKind.Producer : ActivityKind.Server, tags, registration, receivedAt);

    /// <summary>Adds the context of the current trace to the options of a request, if the settings ask for it.</summary>
    /// <param name="options">The options.</param>
    /// <param name="activity">The span of the request; <see langword="null"/> if there is none. Then the current span of the caller is sent.</param>
    /// <param name="settings">The settings.</param>
    public static OptionSet Carry(in OptionSet options, Activity? activity, TelemetrySettings settings) =>
        settings.SendsTraceContext && (activity ?? Activity.Current) is { IdFormat: ActivityIdFormat.W3C } span ? Carry(options, span.Context) : options;

    /// <summary>Adds the context of a span to the options of a request. Returns the same options if there is no span.</summary>
    public static OptionSet Carry(in OptionSet options, in ActivityContext span)
    {
        if (span.TraceId == default) { return options; }
        var own = options.Without(TraceParent.Declaration.Number).Without(TraceState.Declaration.Number);
        var parent = TraceParent.Of(span);
        return TraceState.Of(span.TraceState) is { } state ? own.With(parent, state) : own.With(parent);
    }

    /// <summary>Adds the context of the caller's current span to the options of a request without a span of its own, such as a request to a group.</summary>
    /// <param name="options">The options.</param>
    /// <param name="settings">The settings.</param>
    /// <param name="room">The bytes that the message has for its options. A context or a state that does not fit is left out.</param>
    public static OptionSet CarryCurrent(in OptionSet options, TelemetrySettings settings, int room)
    {
        var carried = Carry(options, activity: null, settings);
        if (carried.Wire.Length <= room) { return carried; }
        carried = carried.Without(TraceState.Declaration.Number);
        return carried.Wire.Length <= room ? carried : options;
    }

    /// <summary>Leaves out the context of the trace, or its state, if the message would not fit with it. A request is more important than its trace.</summary>
    /// <param name="options">All options of the request, with the context of the trace.</param>
    /// <param name="request">The request.</param>
    /// <param name="limits">The limits of the channel.</param>
    /// <param name="settings">The settings.</param>
    public static OptionSet Fit(in OptionSet options, CoapRequest request, in MessageLimits limits, TelemetrySettings settings)
    {
        // A context that the caller has set is an option like any other.
        if (!settings.SendsTraceContext || !options.Contains<TraceParent>() || request.Options.Contains<TraceParent>()) { return options; }
        var stateless = options.Without(TraceState.Declaration.Number);
        var bare = stateless.Without(TraceParent.Declaration.Number);
        var payload = PayloadBeside(bare, request, limits);
        return Fits(options, payload, limits) ? options : Fits(stateless, payload, limits) ? stateless : bare;
    }

    // The payload of the first message in bytes: the whole body, or a block with its options. Blocks are not made smaller for a trace.
    private static int PayloadBeside(in OptionSet options, CoapRequest request, in MessageLimits limits)
    {
        if (request.Body is null && Fits(options, request.Payload.Length, limits)) { return request.Payload.Length; }
        var room = limits.MaxSize - (int)MessageLimits.SizeOf(options, MaxBlockOptions, limits.IsReliable);
        var block = Math.Min(request.PreferredBlockSize ?? int.MaxValue, room);
        return MaxBlockOptions + BlockSize.AtMost(block).Bytes;
    }

    private static bool Fits(in OptionSet options, int payload, in MessageLimits limits) =>
        MessageLimits.SizeOf(options, payload, limits.IsReliable) <= limits.MaxSize;

    /// <summary>Ends the span of a request of this endpoint that got a response.</summary>
    public static void End(Activity? activity, CoapCode code, TimeProvider time)
    {
        if (activity is null) { return; }
        activity.SetTag("coap.response.code", code.ToString());
        if (!code.IsSuccess) { activity.SetTag("error.type", code.ToString()).SetStatus(ActivityStatusCode.Error); }
        Stop(activity, time);
    }

    /// <summary>Ends the span of a request of this endpoint that failed.</summary>
    public static void Fail(Activity? activity, Exception error, TimeProvider time)
    {
        if (activity is null) { return; }
        activity.AddException(error).SetTag("error.type", TelemetryNames.OfError(error)).SetStatus(ActivityStatusCode.Error, error.Message);
        Stop(activity, time);
    }

    /// <summary>Ends the span of a request of this endpoint with its outcome, unless it has ended.</summary>
    public static void End(Activity? activity, CoapCode code, Exception? error, TimeProvider time)
    {
        if (activity is null or { IsStopped: true }) { return; }
        if (error is null) { End(activity, code, time); }
        else { Fail(activity, error, time); }
    }

    /// <summary>Ends the span of a request whose caller does not wait any longer.</summary>
    public static void Cancel(Activity? activity, TimeProvider time)
    {
        if (activity is null or { IsStopped: true }) { return; }
        activity.SetTag("error.type", TelemetryNames.Canceled).SetStatus(ActivityStatusCode.Error);
        Stop(activity, time);
    }

    /// <summary>Ends a span now. Further calls do nothing.</summary>
    public static void Stop(Activity? activity, TimeProvider time)
    {
        if (activity is { IsStopped: false }) { Stop(activity, time.GetUtcNow()); }
    }

    /// <summary>Ends a span at a time. Further calls do nothing.</summary>
    public static void Stop(Activity? activity, DateTimeOffset endedAt)
    {
        if (activity is null or { IsStopped: true }) { return; }
        var current = Activity.Current;
        activity.SetEndTime(endedAt.UtcDateTime);
        activity.Stop();
        Activity.Current = current == activity ? null : current;
    }

    // A lane handles many peers on one thread, and a thread with a request may do its work. So the current span has nothing to do with this one.
    private static Activity? StartBelow(
        ActivityContext parent, string name, ActivityKind kind, List<KeyValuePair<string, object?>> tags, ActivityContext linked, DateTimeOffset startedAt)
    {
        var current = Activity.Current;
        Activity.Current = null;
        var activity = Source.StartActivity(name, kind, parent, tags, LinksTo(linked), startedAt);
        Activity.Current = current;
        return activity;
    }

    private static ActivityLink[]? LinksTo(ActivityContext context) => context == default ? null : [new ActivityLink(context)];
}
