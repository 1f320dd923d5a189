using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>One end of an in-memory connection. Both ends together behave like a TCP connection.</summary>
internal sealed class InMemoryConnection : IStreamConnection
{
    private readonly InMemoryPipe _input;
    private readonly InMemoryPipe _output;
    private IStreamEvents? _events;
    private volatile bool _isDisposed;

    private InMemoryConnection(PeerIdentity local, PeerIdentity peer, InMemoryPipe input, InMemoryPipe output) =>
        (Local, Peer, _input, _output) = (local, peer, input, output);

    public PeerIdentity Peer { get; }

    public PeerIdentity Local { get; }

    public bool IsBlocking => false;

    public Exception? Error =>
        _isDisposed || _output.IsBroken ? new SocketException((int)(_isDisposed ? SocketError.OperationAborted : SocketError.ConnectionReset)) : null;

    /// <summary>Creates both ends.</summary>
    /// <param name="first">The identity of the first end.</param>
    /// <param name="second">The identity of the second end.</param>
    /// <param name="capacity">The largest number of bytes in flight in each direction.</param>
    /// <param name="flightTo">Returns what delays the bytes to an end; <see langword="null"/> if they arrive at once.</param>
    /// <param name="watchTo">Returns the observer of the bytes that travel to an end; <see langword="null"/> for none.</param>
    public static (InMemoryConnection First, InMemoryConnection Second) CreatePair(
        in PeerIdentity first, in PeerIdentity second, int capacity, Func<PeerIdentity, ByteFlight?>? flightTo = null,
        Func<PeerIdentity, ConnectionWatch>? watchTo = null)
    {
        InMemoryPipe toFirst = new(capacity, flightTo?.Invoke(first), watchTo?.Invoke(first));
        InMemoryPipe toSecond = new(capacity, flightTo?.Invoke(second), watchTo?.Invoke(second));
        return (new InMemoryConnection(first, second, toFirst, toSecond), new InMemoryConnection(second, first, toSecond, toFirst));
    }

    public void Attach(IStreamEvents events) => _events = events;

    public StreamOutcome Receive(Span<byte> buffer, out int count)
    {
        count = 0;
        return _isDisposed ? StreamOutcome.Failed : _input.Read(buffer, out count);
    }

    public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        return _isDisposed ? StreamOutcome.Failed : _output.Write(bytes, out count);
    }

    public void ArmReceive() => _input.ArmRead(_events!);

    public void ArmSend(ReadOnlyMemory<byte> rest) => _output.ArmWrite(rest, _events!);

    public void EndSending() => _output.End();

    /// <summary>Breaks both directions, as a reset by the network does.</summary>
    public void Abort()
    {
        _input.Abort();
        _output.Abort();
    }

    public bool IsDisposed => _isDisposed;

    /// <summary>Called once when this end is disposed of.</summary>
    public Action? Closed { get; set; }

    public void Dispose()
    {
        if (_isDisposed) { return; }
        _isDisposed = true;
        _output.End();
        _input.Break();
        Closed?.Invoke();
    }
}
