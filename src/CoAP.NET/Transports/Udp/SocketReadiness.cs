using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace CoAP.Transports;

/// <summary>Learns by an awaited peek at nothing that a socket has something to read, with at most one peek under way.</summary>
internal sealed class SocketReadiness
{
    private readonly Socket _socket;
    private readonly WakeSignal _signal;
    private readonly Action _completed;
    private ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _peek;
    private int _pending;
    private int _failed;

    public SocketReadiness(Socket socket, WakeSignal signal) => (_socket, _signal, _completed) = (socket, signal, Complete);

    /// <summary>True if the socket is readable now; otherwise the signal is set as soon as it is.</summary>
    public bool IsReady()
    {
        if (Volatile.Read(ref _pending) != 0) { return false; }
#pragma warning disable CA2012 // The one awaiter lives in a field so that waiting allocates nothing; Consume uses it exactly once.
        _peek = _socket.ReceiveAsync(Memory<byte>.Empty, SocketFlags.Peek).ConfigureAwait(false).GetAwaiter();
#pragma warning restore CA2012
        if (_peek.IsCompleted)
        {
            Consume();
            return true;
        }

        Volatile.Write(ref _pending, 1);
        _peek.UnsafeOnCompleted(_completed);
        return false;
    }

    /// <summary>Whether a peek met an error since the last call; it took the error away from the calls that follow.</summary>
    public bool TakeFailure() => Volatile.Read(ref _failed) != 0 && Interlocked.Exchange(ref _failed, 0) != 0;

    private void Complete()
    {
        Consume();
        Volatile.Write(ref _pending, 0);
        _signal.Set(inline: true);
    }

    private void Consume()
    {
        try
        {
            _peek.GetResult();
        }
        catch (SocketException)
        {
            Volatile.Write(ref _failed, 1);
        }
        catch (ObjectDisposedException)
        {
            // The transport has ended while this peek was under way; nobody waits for it any more.
        }
    }
}
