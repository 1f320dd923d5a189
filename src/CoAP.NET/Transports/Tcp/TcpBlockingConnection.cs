using System.Net.Security;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A TCP connection whose calls wait. It raises its events on its own thread.</summary>
/// <remarks>
/// Only that thread closes the socket, because closing a socket during a waiting call sends the peer a reset instead of an orderly end.
/// Another thread may send while that thread receives.
/// </remarks>
internal sealed class TcpBlockingConnection : SocketConnection, IStreamConnection
{
    // The timeout applies to one call. With calls of this size, a slow peer that reads does not run into it.
    private const int LargestCall = 256 << 10;

    private readonly Lock _sending = new();
    private readonly object _gate = new();
    private readonly TcpSettings _settings;
    private readonly SslStream? _secured;
    private Thread? _reader;
    private bool _isArmed;

    /// <param name="socket">A connected socket that was never used asynchronously. The connection owns it from now on.</param>
    /// <param name="settings">The timeout and the stack size.</param>
    /// <param name="place">The place of the connection within the limit. It is released when the connection ends.</param>
    /// <param name="secured">The TLS stream over the socket. <see langword="null"/> for a plain connection.</param>
    public TcpBlockingConnection(Socket socket, TcpSettings settings, ConnectionPlace? place = null, SslStream? secured = null)
        : base(socket, place, isBlocking: true)
    {
        (_settings, _secured) = (settings, secured);
        socket.SendTimeout = (int)settings.SendTimeout.TotalMilliseconds;
        Credentials = TlsConnection.CredentialsOf(secured);
    }

    public PeerCredentials? Credentials { get; }

    public CoapScheme Scheme => _secured is null ? CoapScheme.CoapTcp : CoapScheme.CoapsTcp;

    public StreamOutcome Receive(Span<byte> buffer, out int count)
    {
        count = 0;
        if (IsDisposed) { return StreamOutcome.Failed; }
        try
        {
            var error = SocketError.Success;
            count = _secured?.Read(buffer) ?? Socket.Receive(buffer, SocketFlags.None, out error);
            if (error is not SocketError.Success) { return Fail(error); }
            return count > 0 ? StreamOutcome.Done : StreamOutcome.Ended;
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            return Fail(ErrorOf(exception));
        }
    }

    public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        lock (_sending)
        {
            try
            {
                while (count < bytes.Length)
                {
                    if (IsDisposed || Error is not null) { return StreamOutcome.Failed; }
                    count += Write(bytes.Slice(count, Math.Min(bytes.Length - count, LargestCall)), out var error);

                    // After a timeout it is unknown how many bytes were sent, so the connection can no longer be used.
                    if (error is not SocketError.Success) { return Fail(error is SocketError.WouldBlock ? SocketError.TimedOut : error); }
                }
            }
            catch (Exception exception) when (IsFailure(exception))
            {
                return Fail(ErrorOf(exception));
            }
        }

        return StreamOutcome.Done;
    }

    public void ArmReceive()
    {
        lock (_gate)
        {
            if (IsDisposed) { return; }
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

    // On its own thread: two sides that both wait for the other to read would wait forever.
    public void ArmSend(ReadOnlyMemory<byte> rest)
    {
        var writer = new Thread(Write, _settings.ConnectionStackSize) { IsBackground = true, Name = "CoAP large message" };
        try { writer.UnsafeStart(); }
        catch (OutOfMemoryException)
        {
            Fail(SocketError.NoBufferSpaceAvailable);
            Events!.OnWritable();
        }

        void Write()
        {
            Send(rest.Span, out _);
            Events!.OnWritable();
        }
    }

    public override void EndSending()
    {
        if (_secured is null) { Shutdown(SocketShutdown.Send); }
        else { _ = EndSecuredAsync(_secured); }
    }

    public void Dispose()
    {
        bool isOurs;
        lock (_gate)
        {
            if (!TryBeginDispose()) { return; }
            isOurs = _reader is null;
            Monitor.Pulse(_gate);
        }

        Shutdown(SocketShutdown.Both);
        if (isOurs) { ReleaseAll(); }
    }

    private void TryStart(Thread reader)
    {
        try
        {
            reader.UnsafeStart();
        }
        catch (OutOfMemoryException)
        {
            // The system has no more threads. This connection ends, and the others continue.
            Fail(SocketError.NoBufferSpaceAvailable);
            lock (_gate) { TryBeginDispose(); }
            ReleaseAll();
            Events!.OnReadable();
        }
    }

    private void Read()
    {
        while (WaitUntilArmed()) { Events!.OnReadable(); }
        ReleaseAll();
    }

    private bool WaitUntilArmed()
    {
        lock (_gate)
        {
            while (!_isArmed && !IsDisposed) { Monitor.Wait(_gate); }
            _isArmed = false;
            return !IsDisposed;
        }
    }

    private void ReleaseAll()
    {
        _secured?.Dispose();
        Release();
    }

    private int Write(ReadOnlySpan<byte> bytes, out SocketError error)
    {
        if (_secured is null) { return Socket.Send(bytes, SocketFlags.None, out error); }
        error = SocketError.Success;
        _secured.Write(bytes);
        return bytes.Length;
    }

    // The alert is a few bytes that the socket accepts at once, so nothing waits for it.
    private async Task EndSecuredAsync(SslStream secured)
    {
        try { await secured.ShutdownAsync().ConfigureAwait(false); }
        catch (Exception exception) when (IsFailure(exception))
        {
            // The peer has already closed the connection.
        }
        Shutdown(SocketShutdown.Send);
    }

    private static bool IsFailure(Exception exception) => exception is IOException or InvalidOperationException or SocketException;

    private static SocketError ErrorOf(Exception exception) => exception is ObjectDisposedException
        ? SocketError.OperationAborted
        : (exception.InnerException as SocketException)?.SocketErrorCode ?? SocketError.ConnectionAborted;
}
