using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Transports;

/// <summary>A TCP connection whose calls never wait. An idle connection holds no buffer.</summary>
internal sealed class TcpConnection : SocketConnection, IStreamConnection
{
    private readonly Readiness _readiness;
    private Sender? _sender;

    /// <inheritdoc/>
    public TcpConnection(Socket socket, ConnectionPlace? place = null)
        : base(socket, place) => _readiness = new Readiness(this);

    public StreamOutcome Receive(Span<byte> buffer, out int count)
    {
        count = 0;
        if (IsDisposed) { return StreamOutcome.Failed; }
        count = Socket.Receive(buffer, SocketFlags.None, out var error);
        if (error is SocketError.WouldBlock) { return StreamOutcome.WouldBlock; }
        if (error is not SocketError.Success) { return Fail(error); }
        if (count > 0) { return StreamOutcome.Done; }

        // The system reports an error once. If the awaited read took it, the socket now looks like an orderly end.
        return Error is null ? StreamOutcome.Ended : StreamOutcome.Failed;
    }

    public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count) => TrySend(bytes, out count);

    public void ArmReceive() => _readiness.Start();

    public void ArmSend(ReadOnlyMemory<byte> rest) => (_sender ??= new Sender(this)).Start(rest);

    public void Dispose()
    {
        if (!TryBeginDispose()) { return; }
        Close();
        _readiness.Dispose();
        _sender?.Dispose();
    }

    /// <summary>A zero-byte receive, which completes when bytes are available.</summary>
    private sealed class Readiness(TcpConnection owner) : SocketAsyncEventArgs(true)
    {
        public void Start()
        {
            try
            {
                if (owner.IsDisposed || owner.Socket.ReceiveAsync(this)) { return; }
            }
            catch (ObjectDisposedException)
            {
                return;
            }

            Report();
        }

        protected override void OnCompleted(SocketAsyncEventArgs e) => Report();

        private void Report()
        {
            if (SocketError is not SocketError.Success) { owner.Fail(SocketError); }
            owner.Events!.OnReadable();
        }
    }

    /// <summary>Sends the bytes that found no buffer space. It is created on first use, because most connections never need it.</summary>
    private sealed class Sender(TcpConnection owner) : SocketAsyncEventArgs(true)
    {
        public void Start(ReadOnlyMemory<byte> rest)
        {
            SetBuffer(MemoryMarshal.AsMemory(rest));
            Continue(isCompleted: false);
        }

        protected override void OnCompleted(SocketAsyncEventArgs e) => Continue(isCompleted: true);

        private void Continue(bool isCompleted)
        {
            try
            {
                while (!isCompleted || !TryFinish())
                {
                    if (owner.IsDisposed || owner.Socket.SendAsync(this)) { return; }
                    isCompleted = true;
                }
            }
            catch (ObjectDisposedException)
            {
                // The owner has closed the connection during the send. An exception that escapes here would end the process.
                owner.Fail(System.Net.Sockets.SocketError.OperationAborted);
            }

            owner.Events!.OnWritable();
        }

        private bool TryFinish()
        {
            if (SocketError is not SocketError.Success) { owner.Fail(SocketError); }
            else if (BytesTransferred < Count)
            {
                SetBuffer(MemoryBuffer[BytesTransferred..]);
                return false;
            }

            SetBuffer(default);
            return true;
        }
    }
}
