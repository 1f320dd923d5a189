using System.Diagnostics.Tracing;

namespace SampleServer;

/// <summary>Listens to the runtime for how long it holds all threads, to collect garbage or for anything else.</summary>
internal sealed class Pauses : EventListener
{
    private const string Runtime = "Microsoft-Windows-DotNETRuntime";
    private const EventKeywords Collections = (EventKeywords)1;
    private const int Suspending = 9;       // GCSuspendEEBegin
    private const int Restarted = 3;        // GCRestartEEEnd

    private readonly Lock _lock = new();
    private DateTime _since;
    private TimeSpan _longest;
    private int _count;

    /// <summary>How many there were so far, and the longest of them.</summary>
    public (int Count, TimeSpan Longest) Read()
    {
        lock (_lock) { return (_count, _longest); }
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == Runtime) { EnableEvents(eventSource, EventLevel.Informational, Collections); }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventId == Suspending) { _since = eventData.TimeStamp; }
        if (eventData.EventId != Restarted || _since == default) { return; }
        lock (_lock)
        {
            var pause = eventData.TimeStamp - _since;
            if (pause > _longest) { _longest = pause; }
            _count++;
        }
    }
}
