using System.Net.Sockets;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>What one UDP socket of a lane sends: in batches, and with an answer for each error to the question whose it is.</summary>
/// <param name="file">The socket.</param>
/// <param name="batch">What is collected; owned from now on.</param>
/// <param name="bound">The address that all datagrams leave from; none where it depends on the datagram.</param>
/// <param name="port">The port that they leave from.</param>
/// <param name="failed">Where datagrams go that cannot be sent.</param>
/// <param name="counters">What is counted.</param>
[SupportedOSPlatform("linux")]
internal sealed unsafe class BatchedUdpOutput(
    int file, SendBatch batch, PeerIdentity bound, ushort port, FailedSends failed, TransportCounters counters) : IDisposable
{
    private const int MaxAttempts = 4;
    private static readonly TimeSpan MaxSendWait = TimeSpan.FromMilliseconds(5);

    /// <summary>Whether datagrams are queued.</summary>
    public bool HasUnsent => batch.HasMore;

    /// <summary>Whether a call failed, possibly for an error that the socket's queue tells more of.</summary>
    public bool HasErrors { get; set; }

    /// <summary>Queues one datagram; sends what is queued if there is no room.</summary>
    public void Add(in PeerIdentity peer, in PeerIdentity source, ReadOnlySpan<byte> datagram)
    {
        if (!batch.HasRoomFor(datagram.Length)) { Flush(); }
        batch.Add(peer, source, datagram);
    }

    /// <summary>Sends one datagram now, and tells what becomes of it.</summary>
    public SocketError SendAlone(in PeerIdentity peer, ReadOnlySpan<byte> datagram)
    {
        batch.Add(peer, default, datagram);
        var error = SocketError.Success;
        for (var attempt = 0; attempt < MaxAttempts; attempt++)
        {
            counters.SystemCalls++;
            if (batch.Send(file) > 0)
            {
                counters.DatagramsSent++;
                error = SocketError.Success;
                break;
            }
            error = LinuxCalls.LastError;
            HasErrors |= error is not (SocketError.Interrupted or SocketError.WouldBlock);
        }
        if (error != SocketError.Success) { counters.SendFailures++; }
        batch.Clear();
        return error;
    }

    public void Flush()
    {
        var attempts = 0;
        var mayWait = true;
        while (batch.HasMore)
        {
            var count = batch.Send(file);
            counters.SystemCalls++;
            if (count > 0)
            {
                attempts = 0;
                counters.DatagramsSent += count;
                continue;
            }

            var error = LinuxCalls.LastError;
            if (IsWorthAnotherTry(error, attempts++, ref mayWait)) { continue; }
            if (error == SocketError.WouldBlock)
            {
                counters.SendFailures += batch.Count;
                break;
            }

            attempts = 0;
            if (batch.TrySendApart(error)) { continue; }
            Fail(error);
            batch.Skip();
        }
        batch.Clear();
    }

    public void Dispose() => batch.Dispose();

    /// <summary>
    /// Whether the call may do better next time: it was interrupted, the buffer was full, or the error may be that of another datagram.
    /// </summary>
    private bool IsWorthAnotherTry(SocketError error, int attempts, ref bool mayWait)
    {
        switch (error)
        {
            case SocketError.Interrupted:
                return true;
            case SocketError.WouldBlock:
                if (!mayWait) { return false; }
                mayWait = false;
                return WaitUntilWritable();
            case SocketError.NoBufferSpaceAvailable:
                return false;
            default:
                HasErrors = true;
                return attempts + 1 < MaxAttempts;
        }
    }

    private bool WaitUntilWritable()
    {
        var entry = new PollEntry { File = file, Wanted = LinuxCalls.PollOut };
        var time = LinuxCalls.ToTimeSpec(MaxSendWait);
        counters.SystemCalls++;
        return LinuxCalls.Poll(&entry, 1, &time, null) > 0;
    }

    private void Fail(SocketError error)
    {
        counters.SendFailures++;
        if (error == SocketError.NoBufferSpaceAvailable) { return; }
        var local = bound.IsNone ? batch.Source(port) : bound;
        failed.Add(new ChannelKey(batch.Peer, local), batch.Datagram, error);
    }
}
