using System.Buffers;
using System.Threading.Channels;
using CoAP.Mesh;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP;

/// <summary>
/// Writes the messages of a server or a client to a file in the format pcapng, which Wireshark and tshark open. Add <see cref="Link"/> to
/// <see cref="CoapEndpointSettings.Links"/>.
/// </summary>
/// <remarks>
/// <para>The capture contains messages as CoAP sees them: the plain content of DTLS and TLS, and messages over WebSockets in the form of TCP. It is therefore
/// sensitive. The headers of IP, UDP and TCP are made up from the addresses of the channel; port 5684 is written as 5683, so that the content is recognized.
/// An endpoint that has a name instead of an address gets an address from 198.18.0.0/15.</para>
/// <para>A lane copies a message into a bounded buffer and never waits. What does not fit is counted (<see cref="Dropped"/>), also in the file. If the file
/// cannot be written, the capture ends with one line in the log, and the server continues.</para>
/// <para>Safe for concurrent use. Several endpoints can share a capture. Dispose of it after the endpoints have ended: that writes the rest.</para>
/// </remarks>
public sealed class PcapngCapture : IAsyncDisposable, IDisposable
{
    private const int MaxQueued = 1 << 16;

    private readonly Channel<CapturedMessage> _queue = Channel.CreateBounded<CapturedMessage>(new BoundedChannelOptions(MaxQueued) { SingleReader = true });
    private readonly CaptureOutput _output;
    private readonly PcapngCaptureSettings _settings;
    private readonly Task _writing;
    private ILogger _logger = NullLogger.Instance;
    private long _queuedBytes;
    private long _captured;
    private long _dropped;
    private long _droppedPackets;
    private volatile bool _hasEnded;

    private PcapngCapture(CaptureOutput output, PcapngCaptureSettings settings)
    {
        (_output, _settings) = (output, settings);
        Link = MeshLink.Stages(lane =>
        {
            _logger = lane.Lane.Logger;
            Insert(lane, MeshArrow.FramesIn, isSent: false);
            Insert(lane, MeshArrow.SignalFrames, isSent: false);
            Insert(lane, MeshArrow.FramesOut, isSent: true);
        });
        _writing = Task.Run(WriteAllAsync);
    }

    /// <summary>The link that captures the messages of an endpoint, in both directions.</summary>
    public MeshLink Link { get; }

    /// <summary>The number of captured messages, including those that wait to be written.</summary>
    public long Captured => Volatile.Read(ref _captured);

    /// <summary>The number of messages that were not captured because the buffer was full or the capture has failed.</summary>
    public long Dropped => Volatile.Read(ref _dropped);

    /// <summary>Creates a capture that writes files. A file with this name is replaced.</summary>
    /// <param name="path">The path of the current file, such as "capture.pcapng".</param>
    /// <param name="settings">The limits. Default: those of <see cref="PcapngCaptureSettings"/>.</param>
    /// <exception cref="IOException">The file cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">The file must not be created.</exception>
    public static PcapngCapture ToFile(string path, PcapngCaptureSettings? settings = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        settings ??= new PcapngCaptureSettings();
        return new PcapngCapture(CaptureOutput.ToFiles(path, settings), settings);
    }

    /// <summary>Creates a capture that writes to a stream, which it does not close.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="settings">The limits. Default: those of <see cref="PcapngCaptureSettings"/>.</param>
    /// <exception cref="ArgumentException">The stream is not writable.</exception>
    public static PcapngCapture ToStream(Stream stream, PcapngCaptureSettings? settings = null)
    {
        ArgumentNullException.ThrowIfNull(stream);
        if (!stream.CanWrite) { throw new ArgumentException("The stream is not writable.", nameof(stream)); }
        return new PcapngCapture(CaptureOutput.To(stream), settings ?? new PcapngCaptureSettings());
    }

    /// <summary>Ends the capture: writes the messages that wait, then the number of dropped ones, and closes the file.</summary>
    public async ValueTask DisposeAsync()
    {
        _queue.Writer.TryComplete();
        await _writing.ConfigureAwait(false);
    }

    /// <summary>Ends the capture as <see cref="DisposeAsync"/> does. Blocks the calling thread until the rest is written.</summary>
    public void Dispose()
    {
        _queue.Writer.TryComplete();
        using var ended = new ManualResetEventSlim();
        _ = _writing.ContinueWith(_ => ended.Set(), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        ended.Wait();
    }

    /// <summary>Copies a message into the buffer. Never waits.</summary>
    internal void Add(in Frame frame, bool isSent, bool isReliable, bool isClient, DateTimeOffset time)
    {
        var length = frame.Bytes.Length + frame.Payload.Length;
        if (_hasEnded || Interlocked.Add(ref _queuedBytes, length) > _settings.BufferSize)
        {
            Drop(length, isReliable);
            return;
        }
        var bytes = ArrayPool<byte>.Shared.Rent(Math.Max(1, length));
        frame.Bytes.CopyTo(bytes);
        frame.Payload.CopyTo(bytes.AsMemory(frame.Bytes.Length));
        if (_queue.Writer.TryWrite(new CapturedMessage(frame.Key, bytes, length, time, isSent, isReliable, isClient)))
        {
            Interlocked.Increment(ref _captured);
            return;
        }
        ArrayPool<byte>.Shared.Return(bytes);
        Drop(length, isReliable);
    }

    private void Drop(int length, bool isReliable)
    {
        if (!_hasEnded) { Interlocked.Add(ref _queuedBytes, -length); }
        CountDropped(length, isReliable);
    }

    private void CountDropped(int length, bool isReliable)
    {
        Interlocked.Increment(ref _dropped);
        Interlocked.Add(ref _droppedPackets, PacketBuilder.CountOf(length, isReliable));
    }

    private void Insert(LaneBuilder lane, MeshArrow<Frame> arrow, bool isSent) =>
        lane.Insert(arrow, new CaptureStage(this, isSent, lane.IsReliable, lane.Exchanges.Settings.IsClient, lane.Exchanges.Time));

    private async Task WriteAllAsync()
    {
        try
        {
            while (await _queue.Reader.WaitToReadAsync().ConfigureAwait(false))
            {
                while (_queue.Reader.TryRead(out var message)) { Write(message); }
                _output.Flush();
            }
        }
        catch (Exception exception) // The edge to the user's stream, which may throw anything.
        {
            CaptureLog.CaptureFailed(_logger, exception, _output.Name);
        }
        finally { End(); }
    }

    private void Write(in CapturedMessage message)
    {
        try { _output.Write(message, Volatile.Read(ref _droppedPackets)); }
        finally
        {
            Interlocked.Add(ref _queuedBytes, -message.Length);
            ArrayPool<byte>.Shared.Return(message.Bytes);
        }
    }

    // Also after a failure, when the output closes as far as it can.
    private void End()
    {
        _hasEnded = true;
        _queue.Writer.TryComplete();
        while (_queue.Reader.TryRead(out var message))
        {
            ArrayPool<byte>.Shared.Return(message.Bytes);
            CountDropped(message.Length, message.IsReliable);
        }
        _output.Close(Volatile.Read(ref _droppedPackets));
    }
}
