using CoAP.Lanes;
using CoAP.Transports;

namespace CoAP;

/// <summary>The bytes of one message between the transport and the serializer.</summary>
/// <remarks>The bytes are in a buffer of the lane and valid during the call only. Buffered edges copy them.</remarks>
public readonly struct Frame
{
    /// <summary>Creates a frame.</summary>
    /// <param name="key">The peer and the local address.</param>
    /// <param name="bytes">The bytes of one message.</param>
    public Frame(in ChannelKey key, ReadOnlyMemory<byte> bytes) => (Key, Bytes) = (key, bytes);

    /// <summary>The peer and the local address.</summary>
    public ChannelKey Key { get; init; }

    /// <summary>The bytes of one message. For a large message that is sent over a connection, the bytes before its payload.</summary>
    public ReadOnlyMemory<byte> Bytes { get; init; }

    /// <summary>The payload of a large message that is sent over a connection, in the sender's memory; otherwise empty.</summary>
    public ReadOnlyMemory<byte> Payload => Large is null ? default : Large.Payload;

    /// <summary>The credentials of the peer; <see langword="null"/> if neither the transport nor a stage has verified any.</summary>
    /// <remarks>A stage that opens protected datagrams sets them. They become the credentials of the request.</remarks>
    public PeerCredentials? Credentials { get => field ?? Link?.Credentials; init; }

    /// <summary>The connection of the frame; <see langword="null"/> for datagrams.</summary>
    internal IFrameLink? Link { get; init; }

    /// <summary>Whether the bytes are a separate array, which the message can keep without a copy.</summary>
    internal bool IsOwned { get; init; }

    /// <summary>Whether the frame is a request of this endpoint.</summary>
    internal bool IsRequest { get; init; }

    /// <summary>The message whose payload follows the bytes.</summary>
    internal CoapMessage? Large { get; init; }

    /// <summary>The path to or from a group; <see langword="null"/> if there is a single peer.</summary>
    internal GroupPath? Group { get; init; }

    internal Frame Keep() => IsOwned ? this : this with { Bytes = Bytes.ToArray(), IsOwned = true };
}
