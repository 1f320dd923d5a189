using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>Polls connections as a lane does: it waits, and raises events in its own turns, never while a test calls a connection.</summary>
internal sealed class PollingThread : IDisposable
{
    private readonly ConnectionPoller _poller = new();
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
        lock (_turn) { connection.Join(_poller); }
        return new Guarded(this, connection);
    }

    // On its own thread only: a poll takes the events, and the wake-up, from a concurrent wait.
    private void RunOneTurn()
    {
        lock (_turn)
        {
            _poller.Poll();
            while (_poller.TryNext(out var connection)) { connection.RaiseEvents(); }
        }
    }

    public void Dispose()
    {
        _isEnding = true;
        _poller.Wake();
        _thread.Join();
        _poller.Dispose();
    }

    private void Run()
    {
        while (!_isEnding)
        {
            _poller.Wait(Timeout.InfiniteTimeSpan);
            RunOneTurn();
        }
    }

    // A lane calls its connections in its turns only. A test calls at any time.
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
            owner._poller.Wake();
        }
    }
}
