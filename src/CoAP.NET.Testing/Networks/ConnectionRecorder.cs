namespace CoAP.Testing;

/// <summary>Writes what happens on connections to the transcript, one entry for each message. How the bytes were split on their way does not matter.</summary>
internal sealed class ConnectionRecorder(ManualClock clock, NetworkTranscript transcript)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<(int Connection, PeerIdentity From), FrameSplitter> _directions = [];

    public void Observe(InMemoryConnectionEvent item)
    {
        lock (_gate)
        {
            switch (item.Kind)
            {
                case InMemoryConnectionEventKind.Opened:
                    Add(item, TranscriptEntryKind.Opened, default);
                    break;
                case InMemoryConnectionEventKind.Sent:
                    OnSent(item);
                    break;
                default:
                    OnEnd(item);
                    break;
            }
        }
    }

    private void OnSent(in InMemoryConnectionEvent item)
    {
        if (!_directions.TryGetValue((item.Connection, item.From), out var bytes)) { _directions[(item.Connection, item.From)] = bytes = new FrameSplitter(); }
        bytes.Add(item.Bytes.Span);
        while (bytes.Next() is { } message) { Add(item, TranscriptEntryKind.Message, message); }
    }

    private void OnEnd(in InMemoryConnectionEvent item)
    {
        if (_directions.Remove((item.Connection, item.From), out var bytes) && bytes.Rest is { Length: > 0 } rest)
        {
            Add(item, TranscriptEntryKind.Message, rest);
        }
        Add(item, item.Kind == InMemoryConnectionEventKind.Broken ? TranscriptEntryKind.Broken : TranscriptEntryKind.Ended, default);
    }

    private void Add(in InMemoryConnectionEvent item, TranscriptEntryKind kind, ReadOnlyMemory<byte> bytes) =>
        transcript.Add(new TranscriptEntry(clock.Elapsed, LinkTable.HostOf(item.From), LinkTable.HostOf(item.To), bytes, Copies: 1)
        {
            Kind = kind,
            Connection = item.Connection,
        });
}
