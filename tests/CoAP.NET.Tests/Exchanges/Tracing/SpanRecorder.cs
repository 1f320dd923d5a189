using System.Collections.Concurrent;
using System.Diagnostics;

namespace CoAP.Tests.Exchanges.Tracing;

/// <summary>Records the spans of requests below one path. Other tests make requests at the same time.</summary>
internal sealed class SpanRecorder : IDisposable
{
    private readonly ConcurrentQueue<Activity> _ended = new();
    private readonly ConcurrentQueue<Dictionary<string, object?>> _sampled = new();
    private readonly ActivityListener _listener;

    public SpanRecorder()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == CoapTelemetry.ActivitySourceName,
            Sample = OnSample,
            ActivityStopped = OnStopped,
        };
        ActivitySource.AddActivityListener(_listener);
    }

    /// <summary>The first segment of the paths whose spans are recorded. No other test uses it.</summary>
    public string Root { get; } = $"t{Guid.NewGuid():N}";

    public IReadOnlyList<Activity> Spans => [.. _ended];

    /// <summary>The attributes of spans that a sampler has seen.</summary>
    public IReadOnlyList<Dictionary<string, object?>> Sampled => [.. _sampled];

    public Activity Only(ActivityKind kind) => Spans.Where(span => span.Kind == kind).Should().ContainSingle().Subject;

    public void Dispose() => _listener.Dispose();

    private ActivitySamplingResult OnSample(ref ActivityCreationOptions<ActivityContext> options)
    {
        var tags = options.Tags?.ToDictionary() ?? [];
        if (IsOwn(tags.GetValueOrDefault("url.path") ?? tags.GetValueOrDefault("url.full"))) { _sampled.Enqueue(tags); }
        return ActivitySamplingResult.AllDataAndRecorded;
    }

    private void OnStopped(Activity activity)
    {
        if (IsOwn(activity.GetTagItem("url.path") ?? activity.GetTagItem("url.full"))) { _ended.Enqueue(activity); }
    }

    private bool IsOwn(object? where) => (where as string)?.Contains(Root, StringComparison.Ordinal) == true;
}
