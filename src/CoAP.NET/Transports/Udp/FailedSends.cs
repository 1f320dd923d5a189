using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>
/// Datagrams that the system refused to send, kept until the receiver can be told, so that nobody waits for their answers.
/// </summary>
internal sealed class FailedSends
{
    /// <summary>Past this many the sender learns by its own time-out, so that a dead network costs no memory.</summary>
    private const int Capacity = 64;

    private readonly Queue<(ChannelKey Key, byte[] Datagram, SocketError Error)> _failures = new();

    public bool IsEmpty => _failures.Count == 0;

    public void Add(in ChannelKey key, ReadOnlySpan<byte> datagram, SocketError error)
    {
        if (_failures.Count < Capacity) { _failures.Enqueue((key, datagram.ToArray(), error)); }
    }

    public void Deliver(IDatagramReceiver receiver)
    {
        // Only those that are there now: the receiver may send again at once, and fail again.
        for (var left = _failures.Count; left > 0; left--)
        {
            var failure = _failures.Dequeue();
            receiver.OnNetworkError(failure.Key, failure.Datagram, failure.Error);
        }
    }
}
