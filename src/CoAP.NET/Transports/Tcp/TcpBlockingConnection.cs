using System.Net.Security;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A TCP connection whose calls wait, with a thread of its own on which all its events come.</summary>
/// <remarks>
/// The thread alone closes the socket: a socket that is closed under a waiting call answers the peer with a reset instead of an end.
/// Sending may happen on another thread than receiving.
/// </remarks>
internal sealed class TcpBlockingConnection : IStreamConnection
{
    // The time-out is for each call, so that a slow peer is not taken for one that does not read.
    private const int LargestCall = 256 << 10;

    private readonly Lock _sending = new();
    private readonly object _gate = new();
    private readonly Socket _socket;
    private readonly TcpSettings _settings;
    private readonly ConnectionLimits? _limits;
    private readonly SslStream? _secured;
    private IStreamEvents? _events;
    private Exception? _error;
    private Thread? _reader;
    private bool _isArmed;
    private bool _isDisposed;

    /// <param name="socket">Connected, and never used asynchronously before; the connection's own from now on.</param>
    /// <param name="settings">Time-out and stack size.</param>
    /// <param name="limits">Where the connection was counted, to be told of its end.</param>
    /// <param name="secured">TLS over the socket; none for a plain connection.</param>
    public TcpBlockingConnection(Socket socket, TcpSettings settings, ConnectionLimits? limits = null, SslStream? secured = null)
    {
        (_socket, _settings, _limits, _secured) = (socket, settings, limits, secured);
        socket.SendTimeout = (int)settings.SendTimeout.TotalMilliseconds;
        (Peer, Local) = SocketAddresses.Of(socket);
        Credentials = TlsConnection.CredentialsOf(secured);
    }

    public PeerIdentity Peer { get; }

    public PeerIdentity Local { get; }

    public PeerCredentials? Credentials { get; }

    public bool IsBlocking => true;

    public Exception? Error => Volatile.Read(ref _error);

    public void Attach(IStreamEvents events) => _events = events;

    public StreamOutcome Receive(Span<byte> buffer, out int count)
    {
        count = 0;
        if (Volatile.Read(ref _isDisposed)) { return StreamOutcome.Failed; }
        var error = SocketError.Success;
        count = _secured is null ? _socket.Receive(buffer, SocketFlags.None, out error) : ReadSecured(_secured, buffer, ref error);
        if (error is not SocketError.Success) { return Fail(error); }
        return count > 0 ? StreamOutcome.Done : StreamOutcome.Ended;
    }

    public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        lock (_sending)
        {
            while (count < bytes.Length)
            {
                if (Volatile.Read(ref _isDisposed) || Error is not null) { return StreamOutcome.Failed; }
                try
                {
                    var error = SocketError.Success;
                    var slice = bytes.Slice(count, Math.Min(bytes.Length - count, LargestCall));
                    count += _secured is null ? _socket.Send(slice, SocketFlags.None, out error) : WriteSecured(_secured, slice, ref error);

                    // What went out after the time-out of one call is not known to be whole: the stream is lost.
                    if (error is not SocketError.Success) { return Fail(error is SocketError.WouldBlock ? SocketError.TimedOut : error); }
                }
                catch (ObjectDisposedException)
                {
                    return Fail(SocketError.OperationAborted);
                }
            }
        }

        return StreamOutcome.Done;
    }

    public void ArmReceive()
    {
        lock (_gate)
        {
            if (_isDisposed) { return; }
            _isArmed = true;
            if (_reader is not null)
            {
                Monitor.Pulse(_gate);
                return;
            }

            _reader = new Thread(Read, _settings.ConnectionStackSize) { IsBackground = true, Name = "CoAP connection" };
        }

        TryStart(_reader);
    }

    // On a thread of its own, since two sides that both wait until the other reads would wait for ever.
    public void ArmSend(ReadOnlyMemory<byte> rest)
    {
        var writer = new Thread(Write, _settings.ConnectionStackSize) { IsBackground = true, Name = "CoAP large message" };
        try { writer.Start(); }
        catch (OutOfMemoryException)
        {
            Fail(SocketError.NoBufferSpaceAvailable);
            _events!.OnWritable();
        }

        void Write()
        {
            Send(rest.Span, out _);
            _events!.OnWritable();
        }
    }

    public void EndSending()
    {
        if (_secured is null) { Shutdown(SocketShutdown.Send); }
        else { _ = EndSecuredAsync(_secured); }
    }

    public void Dispose()
    {
        bool isOurs;
        lock (_gate)
        {
            if (_isDisposed) { return; }
            _isDisposed = true;
            isOurs = _reader is null;
            Monitor.Pulse(_gate);
        }

        Shutdown(SocketShutdown.Both);
        if (isOurs) { Close(); }
    }

    private void TryStart(Thread reader)
    {
        try
        {
            reader.Start();
        }
        catch (OutOfMemoryException)
        {
            // The system gives no more threads: this connection ends, the others go on.
            Fail(SocketError.NoBufferSpaceAvailable);
            lock (_gate) { _isDisposed = true; }
            Close();
            _events!.OnReadable();
        }
    }

    private void Read()
    {
        while (WaitUntilArmed()) { _events!.OnReadable(); }
        Close();
    }

    private bool WaitUntilArmed()
    {
        lock (_gate)
        {
            while (!_isArmed && !_isDisposed) { Monitor.Wait(_gate); }
            _isArmed = false;
            return !_isDisposed;
        }
    }

    private static int ReadSecured(SslStream secured, Span<byte> buffer, ref SocketError error)
    {
        try { return secured.Read(buffer); }
        catch (Exception exception) when (IsFailure(exception))
        {
            error = ErrorOf(exception);
            return 0;
        }
    }

    private static int WriteSecured(SslStream secured, ReadOnlySpan<byte> bytes, ref SocketError error)
    {
        try
        {
            secured.Write(bytes);
            return bytes.Length;
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            error = ErrorOf(exception);
            return 0;
        }
    }

    // The alert is a few bytes that the socket takes at once; nobody waits for it.
    private async Task EndSecuredAsync(SslStream secured)
    {
        try { await secured.ShutdownAsync().ConfigureAwait(false); }
        catch (Exception exception) when (IsFailure(exception))
        {
            // The other side has gone already, and needs no farewell.
        }
        Shutdown(SocketShutdown.Send);
    }

    private static bool IsFailure(Exception exception) => exception is IOException or InvalidOperationException or SocketException;

    private static SocketError ErrorOf(Exception exception) =>
        (exception.InnerException as SocketException)?.SocketErrorCode ?? SocketError.ConnectionAborted;

    private void Shutdown(SocketShutdown direction)
    {
        try
        {
            _socket.Shutdown(direction);
        }
        catch (SocketException exception)
        {
            Fail(exception.SocketErrorCode);
        }
        catch (ObjectDisposedException)
        {
            // The reader has closed the socket already.
        }
    }

    private void Close()
    {
        _secured?.Dispose();
        _socket.Dispose();
        _limits?.Leave(Peer);
    }

    private StreamOutcome Fail(SocketError error)
    {
        Interlocked.CompareExchange(ref _error, new SocketException((int)error), null);
        return StreamOutcome.Failed;
    }
}
