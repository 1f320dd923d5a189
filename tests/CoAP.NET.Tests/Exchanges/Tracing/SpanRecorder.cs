using System.Collections.Concurrent;
using System.Diagnostics;

namespace CoAP.Tests.Exchanges.Tracing;

/// <summary>Records the spans of requests below one path. Other tests make requests at the same time.</summary>
internal sealed class SpanRecorder : IDisposable
{
    private readonly ConcurrentQueue<Activity> _ended = new();
    private readonly ActivityListener _listener;

    public SpanRecorder()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == CoapTelemetry.ActivitySourceName,
            Sample = static (ref _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = OnStopped,
        };
        ActivitySource.AddActivityListener(_listener);
    }

    /// <summary>The first segment of the paths whose spans are recorded. No other test uses it.</summary>
    public string Root { get; } = $"t{Guid.NewGuid():N}";

    public IReadOnlyList<Activity> Spans => [.. _ended];

    public Activity Only(ActivityKind kind) => Spans.Where(span => span.Kind == kind).Should().ContainSingle().Subject;

    public void Dispose() => _listener.Dispose();

    private void OnStopped(Activity activity)
    {
        var where = (activity.GetTagItem("url.path") ?? activity.GetTagItem("url.full")) as string;
        if (where?.Contains(Root, StringComparison.Ordinal) == true) { _ended.Enqueue(activity); }
    }
}
