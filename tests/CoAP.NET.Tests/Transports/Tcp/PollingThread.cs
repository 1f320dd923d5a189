using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>Does for a set of connections what a lane does: waits, and tells in turns of its own, never while a test calls a connection.</summary>
internal sealed class PollingThread : IDisposable
{
    private readonly EpollSet _set = new();
    private readonly Lock _turn = new();
    private readonly Thread _thread;
    private volatile bool _isEnding;

    public PollingThread()
    {
        _thread = new Thread(Run) { IsBackground = true };
        _thread.Start();
    }

    public IStreamConnection Serve(Socket socket)
    {
        var connection = new PolledConnection(socket);
        lock (_turn) { connection.Join(_set); }
        return new Guarded(this, connection);
    }

    // On its own thread only: who looks takes the events away from who waits, the wake-up among them.
    private void RunOneTurn()
    {
        lock (_turn)
        {
            _set.Look();
            while (_set.TryNext(out var connection)) { connection.Report(); }
        }
    }

    public void Dispose()
    {
        _isEnding = true;
        _set.Wake();
        _thread.Join();
        _set.Dispose();
    }

    private void Run()
    {
        while (!_isEnding)
        {
            _set.Wait(Timeout.InfiniteTimeSpan);
            RunOneTurn();
        }
    }

    // A lane calls in its turns only; a test calls whenever it likes.
    private sealed class Guarded(PollingThread owner, PolledConnection inner) : IStreamConnection
    {
        public PeerIdentity Peer => inner.Peer;

        public PeerIdentity Local => inner.Local;

        public bool IsBlocking => false;

        public Exception? Error => inner.Error;

        public void Attach(IStreamEvents events) => inner.Attach(events);

        public StreamOutcome Receive(Span<byte> buffer, out int count)
        {
            lock (owner._turn) { return inner.Receive(buffer, out count); }
        }

        public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count)
        {
            lock (owner._turn) { return inner.Send(bytes, out count); }
        }

        public void ArmReceive() => Do(inner.ArmReceive);

        public void ArmSend(ReadOnlyMemory<byte> rest) => Do(() => inner.ArmSend(rest));

        public void EndSending() => Do(inner.EndSending);

        public void Dispose() => Do(inner.Dispose);

        private void Do(Action call)
        {
            lock (owner._turn) { call(); }
            owner._set.Wake();
        }
    }
}
