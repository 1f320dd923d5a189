using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Keeps datagrams that the system refused to send, until the receiver is informed. Its exchanges then fail without a timeout.</summary>
internal sealed class FailedSends
{
    // Beyond this number, the sender relies on its own timeout. So a network that is down costs no memory.
    private const int Capacity = 64;

    private readonly Queue<(ChannelKey Key, byte[] Datagram, SocketError Error)> _failures = new();

    public bool IsEmpty => _failures.Count == 0;

    public void Add(in ChannelKey key, ReadOnlySpan<byte> datagram, SocketError error)
    {
        if (_failures.Count < Capacity) { _failures.Enqueue((key, datagram.ToArray(), error)); }
    }

    /// <summary>Reports the failed datagrams to the receiver.</summary>
    public void Deliver(IDatagramReceiver receiver)
    {
        // Only the failures that are here now: the receiver may send again at once, and fail again.
        for (var left = _failures.Count; left > 0; left--)
        {
            var failure = _failures.Dequeue();
            receiver.OnNetworkError(failure.Key, failure.Datagram, failure.Error);
        }
    }
}
