namespace CoAP;

/// <summary>The limits of a capture.</summary>
/// <remarks>Immutable.</remarks>
public sealed record PcapngCaptureSettings
{
    /// <summary>
    /// The largest number of bytes that wait to be written. Default: 16 MiB. A message that finds less room is not captured, which is counted. It is never
    /// delayed.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 64 KiB.</exception>
    public long BufferSize { get; init => field = AtLeast(value, 64 << 10, nameof(BufferSize)); } = 16 << 20;

    /// <summary>The size in bytes at which a file is complete and the next one begins. Default: 100 MiB. Without effect on a stream.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 64 KiB.</exception>
    public long MaxFileSize { get; init => field = AtLeast(value, 64 << 10, nameof(MaxFileSize)); } = 100 << 20;

    /// <summary>
    /// The largest number of files: the current one and earlier ones, which are named "capture.1.pcapng" (the latest), "capture.2.pcapng" and so on. The
    /// oldest is deleted. Default: 4. Without effect on a stream.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxFiles { get; init => field = (int)AtLeast(value, 1, nameof(MaxFiles)); } = 4;

    private static long AtLeast(long value, long least, string name)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, least, name);
        return value;
    }
}
