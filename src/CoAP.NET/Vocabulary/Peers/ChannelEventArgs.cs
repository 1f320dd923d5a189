namespace CoAP;

/// <summary>The channel that was opened or closed.</summary>
/// <param name="channel">The channel, as it was at that time.</param>
public sealed class ChannelEventArgs(ChannelDescription channel) : EventArgs
{
    /// <summary>The channel, as it was when it was opened or closed.</summary>
    public ChannelDescription Channel { get; } = channel;
}
