using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace CoAP.Transports;

/// <summary>Detects with an awaited zero-byte peek that a socket is readable. At most one peek is in progress.</summary>
internal sealed class SocketReadiness
{
    private readonly Socket _socket;
    private readonly WakeSignal _signal;
    private readonly Action _completed;
    private ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _peek;
    private int _pending;
    private int _failed;

    public SocketReadiness(Socket socket, WakeSignal signal) => (_socket, _signal, _completed) = (socket, signal, Complete);

    /// <summary>Returns whether the socket is readable now. If it is not, the signal is set when it becomes readable.</summary>
    public bool IsReady()
    {
        if (Volatile.Read(ref _pending) != 0) { return false; }
#pragma warning disable CA2012 // The awaiter is kept in a field, so that waiting allocates nothing. Consume uses it exactly once.
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

    /// <summary>Returns whether a peek failed since the last call. The peek has consumed the error, so later calls do not see it.</summary>
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
            // The transport was closed during this peek. Nothing waits for it.
        }
    }
}
