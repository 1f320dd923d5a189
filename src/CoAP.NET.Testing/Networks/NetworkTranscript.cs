using System.Collections;
using System.Diagnostics.CodeAnalysis;

namespace CoAP.Testing;

/// <summary>The newest datagrams, messages and events of connections of a <see cref="SimulatedNetwork"/>, in the order in which they were sent.</summary>
/// <remarks>Keeps at most 100,000 entries. Safe for concurrent use.</remarks>
[SuppressMessage("Naming", "CA1710", Justification = "Transcript is the usual word for a record of messages.")]
public sealed class NetworkTranscript : IReadOnlyCollection<TranscriptEntry>
{
    private const int Capacity = 100_000;

    private readonly Queue<TranscriptEntry> _entries = new();

    /// <summary>The number of entries.</summary>
    public int Count
    {
        get { lock (_entries) { return _entries.Count; } }
    }

    /// <summary>Returns the entries from one host to another.</summary>
    /// <param name="from">The sender.</param>
    /// <param name="to">The receiver.</param>
    public IReadOnlyList<TranscriptEntry> Between(string from, string to) => [.. this.Where(entry => entry.From == from && entry.To == to)];

    /// <summary>Removes all entries, so that only later ones are seen.</summary>
    public void Clear()
    {
        lock (_entries) { _entries.Clear(); }
    }

    /// <summary>Returns one line for each entry.</summary>
    public override string ToString() => string.Join('\n', this);

    /// <inheritdoc/>
    public IEnumerator<TranscriptEntry> GetEnumerator()
    {
        TranscriptEntry[] entries;
        lock (_entries) { entries = [.. _entries]; }
        return ((IEnumerable<TranscriptEntry>)entries).GetEnumerator();
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    internal void Add(TranscriptEntry entry)
    {
        lock (_entries)
        {
            if (_entries.Count == Capacity) { _entries.Dequeue(); }
            _entries.Enqueue(entry);
        }
    }
}
