namespace CoAP.Transports;

/// <summary>Decides whether an incomplete message arrives fast enough while its account uses much of its share.</summary>
/// <remarks>A message is checked after <see cref="FirstCheck"/> and then after each <see cref="Interval"/>, in which it must gain 5 KiB.</remarks>
internal struct MessageProgress
{
    public const string TooSlow = "A message arrived too slowly while its account used more than half of its share of memory.";

    private const int LeastGain = 5 << 10;

    public static readonly TimeSpan FirstCheck = TimeSpan.FromSeconds(10);
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private long? _lengthBefore;

    /// <summary>Returns whether the message has gained too little since the last check. The first check returns <see langword="false"/>.</summary>
    /// <param name="length">The bytes that have arrived.</param>
    /// <param name="isScarce">Whether the account uses more than half of its share.</param>
    public bool IsTooSlow(long length, bool isScarce)
    {
        var gain = length - _lengthBefore;
        _lengthBefore = length;
        return isScarce && gain < LeastGain;
    }
}
