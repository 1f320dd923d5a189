using System.Net.Sockets;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>Sends the datagrams of one UDP socket in batches, and attributes each error to its datagram.</summary>
/// <param name="file">The descriptor of the socket.</param>
/// <param name="batch">The batch to fill. It is owned from now on.</param>
/// <param name="bound">The address that all datagrams are sent from. None if it depends on the datagram.</param>
/// <param name="port">The port that they are sent from.</param>
/// <param name="failed">Receives the datagrams that cannot be sent.</param>
/// <param name="counters">The counters of the transport.</param>
[SupportedOSPlatform("linux")]
internal sealed unsafe class BatchedUdpOutput(
    int file, SendBatch batch, PeerIdentity bound, ushort port, FailedSends failed, TransportCounters counters) : IDisposable
{
    /// <summary>The attempts at a call that fails with an error that may be about an earlier datagram.</summary>
    public const int MaxAttempts = 4;

    /// <summary>Whether datagrams are queued.</summary>
    public bool HasUnsent => batch.HasMore;

    /// <summary>Whether a call failed, so that the error queue of the socket may have an entry.</summary>
    public bool HasErrors { get; set; }

    /// <summary>Queues a datagram. If there is no room, sends the queued datagrams first.</summary>
    public void Add(in PeerIdentity peer, in PeerIdentity source, ReadOnlySpan<byte> datagram)
    {
        if (!batch.HasRoomFor(datagram.Length)) { Flush(); }
        batch.Add(peer, source, datagram);
    }

    /// <summary>Sends a datagram at once and returns the result. No datagram may be queued.</summary>
    public SocketError SendAlone(in PeerIdentity peer, ReadOnlySpan<byte> datagram)
    {
        batch.Add(peer, default, datagram);
        var error = SocketError.Success;
        for (var attempt = 0; attempt < MaxAttempts; attempt++)
        {
            counters[TransportCounters.SystemCalls]++;
            if (batch.Send(file) > 0)
            {
                counters[TransportCounters.DatagramsSent]++;
                error = SocketError.Success;
                break;
            }
            error = LinuxCalls.LastError;
            HasErrors |= error is not (SocketError.Interrupted or SocketError.WouldBlock);
        }
        if (error != SocketError.Success) { counters[TransportCounters.SendFailures]++; }
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
            counters[TransportCounters.SystemCalls]++;
            if (count > 0)
            {
                attempts = 0;
                counters[TransportCounters.DatagramsSent] += count;
                continue;
            }

            var error = LinuxCalls.LastError;
            if (CanRetry(error, attempts++, ref mayWait)) { continue; }
            if (error == SocketError.WouldBlock)
            {
                counters[TransportCounters.SendFailures] += batch.Count;
                break;
            }

            attempts = 0;
            if (batch.TrySplit(error)) { continue; }
            Fail(error);
            batch.Skip();
        }
        batch.Clear();
    }

    public void Dispose() => batch.Dispose();

    /// <summary>Returns whether another attempt may succeed.</summary>
    /// <remarks>It may if the call was interrupted, if the buffer was full, or if the error may be about another datagram.</remarks>
    private bool CanRetry(SocketError error, int attempts, ref bool mayWait)
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
        var time = LinuxCalls.ToTimeSpec(UdpTransport.MaxSendWait);
        counters[TransportCounters.SystemCalls]++;
        return LinuxCalls.Poll(&entry, 1, &time, null) > 0;
    }

    private void Fail(SocketError error)
    {
        counters[TransportCounters.SendFailures]++;
        if (error == SocketError.NoBufferSpaceAvailable) { return; }
        var local = bound.IsNone ? batch.Source(port) : bound;
        failed.Add(new ChannelKey(batch.Peer, local), batch.Datagram, error);
    }
}
