using CoAP.Streams;
using CoAP.Transports;

namespace CoAP;

/// <summary>The bytes of one message, as they go between transport and serializer.</summary>
/// <remarks>The bytes are borrowed from the lane and valid during the call only; buffered edges make a copy by themselves.</remarks>
public readonly struct Frame
{
    internal Frame(in ChannelKey key, ReadOnlyMemory<byte> bytes) => (Key, Bytes) = (key, bytes);

    /// <summary>Peer and local address.</summary>
    public ChannelKey Key { get; }

    /// <summary>The bytes of one message; of a large one that is sent over a connection, those before its payload.</summary>
    public ReadOnlyMemory<byte> Bytes { get; }

    /// <summary>The payload of a large message that is sent over a connection: where the sender has it, not copied. None otherwise.</summary>
    public ReadOnlyMemory<byte> Payload => Large is null ? default : Large.Payload;

    /// <summary>The connection, where the transport is reliable.</summary>
    internal StreamChannel? Stream { get; init; }

    /// <summary>Whether the bytes are an array of their own, so that the message may keep them without a copy.</summary>
    internal bool IsOwned { get; init; }

    /// <summary>Whether it is a request of ours.</summary>
    internal bool IsRequest { get; init; }

    /// <summary>The message whose payload follows the bytes.</summary>
    internal CoapMessage? Large { get; init; }

    /// <summary>The way to or from a group; absent where there is one peer.</summary>
    internal GroupPath? Group { get; init; }

    internal Frame Keep() => IsOwned ? this : new Frame(Key, Bytes.ToArray()) { Stream = Stream, IsOwned = true, Group = Group, IsRequest = IsRequest };
}
