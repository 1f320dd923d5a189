using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Keeps the Echo value that a peer has given, for later requests to it (RFC 9175, section 2.3). Each channel is one.</summary>
/// <param name="lane">The lane of the channel.</param>
/// <param name="lifetime">How long a value is kept.</param>
internal abstract class EchoMemory(Lane lane, TimeSpan lifetime)
{
    // An upper bound, in bytes: the header, the token, the header of the Echo option and the payload marker.
    private const int MaxOverhead = 24;

    private Echo? _echo;
    private int _port;
    private long _until;

    /// <summary>The bit of the option in <see cref="OptionSet.Seen"/>.</summary>
    public static ulong Bit { get; } = OptionNumber.SeenBit(Echo.Declaration.Number);

    /// <summary>The limits of messages to the peer; <see langword="null"/> if they are not known yet.</summary>
    public abstract MessageLimits? Limits { get; }

    /// <summary>
    /// Returns the last Echo value of the peer; <see langword="null"/> if there is none, it has expired, or the peer gave it to another local
    /// port, which is another endpoint (RFC 9175, section 2.3).
    /// </summary>
    private Echo? EchoFor(in ChannelKey key) => _echo is not null && _port == key.Local.Port && lane.Now < _until ? _echo : null;

    /// <summary>Stores the Echo value of a response for later requests from the same local port.</summary>
    public void Remember(in ChannelKey key, Echo echo) => (_echo, _port, _until) = (echo, key.Local.Port, lane.After(lifetime));

    /// <summary>Returns the options of a request with an Echo value, if there is one that the request can have.</summary>
    /// <param name="key">The peer, and the local port of the request.</param>
    /// <param name="requested">The value that the peer has asked this request for. Default: the last one, if there is one.</param>
    /// <param name="options">The options.</param>
    /// <param name="payloadLength">The length of the payload of each message in bytes.</param>
    public OptionSet AddTo(in ChannelKey key, Echo? requested, in OptionSet options, int payloadLength) =>
        (requested ?? EchoFor(key)) is { } echo && CanAdd(echo, options, payloadLength) ? options.With(echo) : options;

    /// <summary>Returns whether a request can have an Echo value added.</summary>
    /// <param name="options">The options. If they have a value already, it is not changed.</param>
    /// <param name="payloadLength">The length of the payload of each message in bytes.</param>
    /// <param name="echo">The value. One that does not fit must not prevent the request.</param>
    public bool CanAdd(Echo echo, in OptionSet options, int payloadLength)
    {
        var size = MaxOverhead + options.Wire.Length + echo.Value.Length + payloadLength;
        return (options.Seen & Bit) == 0 && size <= (Limits?.MaxSize ?? (int)MaxMessageSize.Default);
    }
}
