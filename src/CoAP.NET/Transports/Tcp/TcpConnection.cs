using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Transports;

/// <summary>A TCP connection whose calls never wait. While it is idle it holds no buffer.</summary>
internal sealed class TcpConnection : SocketConnection, IStreamConnection
{
    private readonly Readiness _readiness;
    private Sender? _sender;

    /// <inheritdoc/>
    public TcpConnection(Socket socket, ConnectionLimits? limits = null)
        : base(socket, limits) => _readiness = new Readiness(this);

    public bool IsBlocking => false;

    public StreamOutcome Receive(Span<byte> buffer, out int count)
    {
        count = 0;
        if (IsDisposed) { return StreamOutcome.Failed; }
        count = Socket.Receive(buffer, SocketFlags.None, out var error);
        if (error is SocketError.WouldBlock) { return StreamOutcome.WouldBlock; }
        if (error is not SocketError.Success) { return Fail(error); }
        if (count > 0) { return StreamOutcome.Done; }

        // The system tells an error once. If the awaited read took it, what is left looks like an orderly end.
        return Error is null ? StreamOutcome.Ended : StreamOutcome.Failed;
    }

    public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count) => TrySend(bytes, out count);

    public void ArmReceive() => _readiness.Start();

    public void ArmSend(ReadOnlyMemory<byte> rest) => (_sender ??= new Sender(this)).Start(rest);

    public void Dispose()
    {
        if (!TryBeginToDispose()) { return; }
        Close();
        _readiness.Dispose();
        _sender?.Dispose();
    }

    /// <summary>A receive of no bytes, which ends as soon as there are some.</summary>
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

    /// <summary>The send of what found no room. Made for the first such send only: most connections never need it.</summary>
    private sealed class Sender(TcpConnection owner) : SocketAsyncEventArgs(true)
    {
        public void Start(ReadOnlyMemory<byte> rest)
        {
            SetBuffer(MemoryMarshal.AsMemory(rest));
            GoOn(isAnswered: false);
        }

        protected override void OnCompleted(SocketAsyncEventArgs e) => GoOn(isAnswered: true);

        private void GoOn(bool isAnswered)
        {
            try
            {
                while (!isAnswered || !TryFinish())
                {
                    if (owner.IsDisposed || owner.Socket.SendAsync(this)) { return; }
                    isAnswered = true;
                }
            }
            catch (ObjectDisposedException)
            {
                // The owner has ended the connection under the send: nobody catches here what leaves, and the process would end.
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
