namespace CoAP.Transports;

/// <summary>Decides whether an incomplete message arrives fast enough while memory is short.</summary>
/// <remarks>A message is checked after <see cref="FirstCheck"/> and then after each <see cref="Interval"/>, in which it must gain 5 KiB.</remarks>
internal struct MessageProgress
{
    public const string TooSlow = "A message arrived too slowly while memory was short.";

    private const int LeastGain = 5 << 10;

    public static readonly TimeSpan FirstCheck = TimeSpan.FromSeconds(10);
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private long? _lengthBefore;

    /// <summary>Returns whether the message has gained too little since the last check. The first check returns <see langword="false"/>.</summary>
    /// <param name="length">The bytes that have arrived.</param>
    /// <param name="isShort">Whether memory is short.</param>
    public bool IsTooSlow(long length, bool isShort)
    {
        var gain = length - _lengthBefore;
        _lengthBefore = length;
        return isShort && gain < LeastGain;
    }
}
