namespace CoAP.Dtls;

/// <summary>The messages to a server that wait for its session. A retransmission replaces the message that it repeats.</summary>
internal sealed class HeldMessages
{
    private const int Most = 64;

    private readonly List<Frame> _frames = [];

    /// <summary>Keeps a copy of a message. Returns <see langword="false"/> if there is no room.</summary>
    public bool TryAdd(in Frame frame)
    {
        foreach (var held in _frames)
        {
            if (held.Bytes.Span.SequenceEqual(frame.Bytes.Span)) { return true; }
        }
        if (_frames.Count == Most) { return false; }
        _frames.Add(new Frame(frame.Key, frame.Bytes.ToArray()));
        return true;
    }

    /// <summary>Returns the messages in the order in which they came, and forgets them.</summary>
    public IReadOnlyList<Frame> TakeAll()
    {
        Frame[] all = [.. _frames];
        _frames.Clear();
        return all;
    }
}
