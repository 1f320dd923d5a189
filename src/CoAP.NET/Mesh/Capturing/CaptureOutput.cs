using System.Globalization;

namespace CoAP.Mesh;

/// <summary>The stream or the files of a capture. Used by one thread at a time.</summary>
internal sealed class CaptureOutput
{
    private readonly Action<CaptureOutput>? _rotate;
    private readonly long _maxSize;
    private readonly PacketBuilder _packets = new();
    private Stream _stream;
    private PcapngWriter _writer;
    private bool _isFailed;
    private long _packetCount;      // since the beginning of the capture, in all files
    private bool _isEmpty = true;   // whether the current file has no packet
    private long _lastTicks = DateTime.UnixEpoch.Ticks;

    private CaptureOutput(string name, Stream stream, long maxSize, Action<CaptureOutput>? rotate)
    {
        (Name, _stream, _maxSize, _rotate) = (name, stream, maxSize, rotate);
        _writer = new PcapngWriter(stream);
    }

    /// <summary>The file, for the log.</summary>
    public string Name { get; }

    public static CaptureOutput To(Stream stream) => new("a stream", stream, long.MaxValue, rotate: null);

    public static CaptureOutput ToFiles(string path, PcapngCaptureSettings settings) =>
        new(path, Create(path), settings.MaxFileSize, output => output.OpenNext(path, settings.MaxFiles));

    /// <summary>Writes the packets of a message.</summary>
    /// <param name="message">The message.</param>
    /// <param name="droppedPackets">The packets that were not captured since the beginning of the capture.</param>
    public void Write(in CapturedMessage message, long droppedPackets)
    {
        try
        {
            if (_writer.Length + message.Length > _maxSize && !_isEmpty)
            {
                WriteStatistics(droppedPackets);
                _rotate!(this);
            }
            _isEmpty = false;
            _lastTicks = message.Time.UtcTicks;
            foreach (var (packet, isSent) in _packets.Build(message))
            {
                _packetCount++;
                _writer.WritePacket(packet.Span, _lastTicks, isSent);
            }
        }
        catch
        {
            _isFailed = true;
            throw;
        }
    }

    public void Flush() => _stream.Flush();

    /// <summary>Writes the statistics, and closes a file. Never fails: a failure before has been reported.</summary>
    public void Close(long droppedPackets)
    {
        try
        {
            if (!_isFailed) { WriteStatistics(droppedPackets); }
            _stream.Flush();
            if (_rotate is not null) { _stream.Dispose(); }
        }
        catch (Exception) // The edge to the user's stream, as above.
        {
            _isFailed = true;
        }
    }

    private void WriteStatistics(long droppedPackets) => _writer.WriteStatistics(_packetCount + droppedPackets, droppedPackets, _lastTicks);

    private void OpenNext(string path, int maxFiles)
    {
        _stream.Dispose();
        for (var number = maxFiles - 1; number > 0; number--)
        {
            var from = number == 1 ? path : NameOf(path, number - 1);
            if (File.Exists(from)) { File.Move(from, NameOf(path, number), overwrite: true); }
        }
        _stream = Create(path);
        _writer = new PcapngWriter(_stream);
        _isEmpty = true;
    }

    // Decrypted messages are for the owner alone.
    private static FileStream Create(string path)
    {
        var settings = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows()) { settings.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite; }
        return new FileStream(path, settings);
    }

    private static string NameOf(string path, int number) =>
        Path.ChangeExtension(path, $"{number.ToString(CultureInfo.InvariantCulture)}{Path.GetExtension(path)}");
}
