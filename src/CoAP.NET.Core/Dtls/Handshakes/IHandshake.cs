namespace CoAP.Dtls;

/// <summary>What a handshake has computed so far, without records, fragments and time.</summary>
internal interface IHandshake
{
    /// <summary>Our connection ID: <see langword="null"/> if none are used, empty if only the peer has one.</summary>
    ReadOnlyMemory<byte>? OwnConnectionId { get; }

    /// <summary>The connection ID of the peer; <see langword="null"/> if it uses none.</summary>
    ReadOnlyMemory<byte>? PeerConnectionId { get; }

    /// <summary>Whether both sides support the return routability check (RFC 9853).</summary>
    bool HasRoutabilityCheck { get; }

    /// <summary>Whether both sides have proved that they know the keys.</summary>
    bool IsDone { get; }

    /// <summary>The keys, once they are known. That is before <see cref="IsDone"/>.</summary>
    SessionKeys? Keys { get; }

    /// <summary>The longest content of a record in bytes, once the two sides have agreed on one (RFC 6066, section 4).</summary>
    int MaxContent { get; }

    /// <summary>Returns the pending output and removes it.</summary>
    IReadOnlyList<HandshakeOutput> TakeOutput();
}

/// <summary>A message to send.</summary>
/// <param name="Type">The type of its record.</param>
/// <param name="Epoch">The epoch of its record.</param>
/// <param name="Content">A whole handshake message with its header, or the content of another record.</param>
internal readonly record struct HandshakeOutput(ContentType Type, ushort Epoch, byte[] Content);
