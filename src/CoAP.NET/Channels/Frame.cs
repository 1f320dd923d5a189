namespace CoAP;

/// <summary>The bytes of one message, as they go between transport and serializer.</summary>
/// <remarks>The bytes are borrowed from the lane and valid during the call only; buffered edges make a copy by themselves.</remarks>
public readonly struct Frame
{
    internal Frame(in ChannelKey key, ReadOnlyMemory<byte> bytes) => (Key, Bytes) = (key, bytes);

    /// <summary>Peer and local address.</summary>
    public ChannelKey Key { get; }

    /// <summary>The bytes of one message.</summary>
    public ReadOnlyMemory<byte> Bytes { get; }

    /// <summary>The connection, where the transport is reliable.</summary>
    internal Channels.StreamChannel? Stream { get; init; }

    /// <summary>Whether the bytes are an array of their own, so that the message may keep them without a copy.</summary>
    internal bool IsOwned { get; init; }

    /// <summary>The way to or from a group; absent where there is one peer.</summary>
    internal Transports.GroupPath? Group { get; init; }

    internal Frame Keep() => IsOwned ? this : new Frame(Key, Bytes.ToArray()) { Stream = Stream, IsOwned = true, Group = Group };
}
