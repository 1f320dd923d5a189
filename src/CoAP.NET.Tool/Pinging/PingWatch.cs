using System.Diagnostics;

namespace CoAP.Tool.Pinging;

/// <summary>The times of one ping: when it was first sent, and when its answer came.</summary>
/// <remarks>The lane calls it while the command waits, so it has a lock.</remarks>
internal sealed class PingWatch
{
    private readonly Lock _gate = new();
    private TaskCompletionSource _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private byte[]? _id;
    private long _sentAt;
    private long _answeredAt;

    /// <summary>The time between the first transmission and the answer.</summary>
    public TimeSpan RoundTrip
    {
        get
        {
            lock (_gate) { return Stopwatch.GetElapsedTime(_sentAt, _answeredAt); }
        }
    }

    /// <summary>Begins a new ping. The task completes with its answer.</summary>
    public Task Begin()
    {
        lock (_gate)
        {
            (_id, _answer) = (null, new(TaskCreationOptions.RunContinuationsAsynchronously));
            return _answer.Task;
        }
    }

    /// <summary>Remembers the message ID or token of the ping. A retransmission does not count.</summary>
    public void OnSent(ReadOnlySpan<byte> id)
    {
        lock (_gate)
        {
            if (_id is not null) { return; }
            (_id, _sentAt) = (id.ToArray(), Stopwatch.GetTimestamp());
        }
    }

    /// <summary>Completes the ping if the answer belongs to it.</summary>
    public void OnAnswered(ReadOnlySpan<byte> id)
    {
        lock (_gate)
        {
            if (_id is null || !id.SequenceEqual(_id)) { return; }
            _answeredAt = Stopwatch.GetTimestamp();
            _answer.TrySetResult();
        }
    }
}
