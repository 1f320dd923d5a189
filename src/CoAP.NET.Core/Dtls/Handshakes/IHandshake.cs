namespace CoAP.Dtls;

/// <summary>The computations of one handshake, without records, fragments and time. Calls may take milliseconds: they do not run on a lane.</summary>
internal interface IHandshake : IDisposable
{
    /// <summary>Our connection ID: <see langword="null"/> if none are used, empty if only the peer has one.</summary>
    ReadOnlyMemory<byte>? OwnConnectionId { get; }

    /// <summary>The connection ID of the peer; <see langword="null"/> if it uses none.</summary>
    ReadOnlyMemory<byte>? PeerConnectionId { get; }

    /// <summary>Whether both sides have the return routability check (RFC 9853).</summary>
    bool HasRoutabilityCheck { get; }

    /// <summary>The identity of a pre-shared key that a client sends.</summary>
    byte[]? PskIdentity { get; set; }

    /// <summary>The pre-shared key. A server sets it when it has read the identity, before it feeds ClientKeyExchange.</summary>
    byte[]? PskKey { get; set; }

    /// <summary>Whether both sides have proved that they have the keys.</summary>
    bool IsDone { get; }

    /// <summary>The cipher suite, once the keys are known.</summary>
    CipherSuite? Suite { get; }

    /// <summary>The keys, once they are known. That is before <see cref="IsDone"/>.</summary>
    SessionKeys? Keys { get; }

    /// <summary>The longest content of a record that the peer takes, in bytes (RFC 6066, section 4).</summary>
    int MaxContent { get; }

    /// <summary>Starts the handshake of a client. The output contains its ClientHello.</summary>
    /// <exception cref="System.Security.Cryptography.CryptographicException">The handshake fails.</exception>
    void Begin();

    /// <summary>Starts the handshake of a server.</summary>
    /// <param name="clientHello">The whole ClientHello whose cookie was valid, with its own number.</param>
    /// <exception cref="System.Security.Cryptography.CryptographicException">The handshake fails. The output contains the alert.</exception>
    void Begin(ReadOnlySpan<byte> clientHello);

    /// <summary>Processes the next message of the peer, which is whole.</summary>
    /// <exception cref="System.Security.Cryptography.CryptographicException">The handshake fails. The output contains the alert.</exception>
    void Feed(ReadOnlySpan<byte> message);

    /// <summary>Returns what has to be sent, and forgets it.</summary>
    IReadOnlyList<HandshakeOutput> TakeOutput();
}

/// <summary>A message to send.</summary>
/// <param name="Type">The type of its record.</param>
/// <param name="Epoch">The epoch of its record.</param>
/// <param name="Content">A whole handshake message with its header, or the content of another record.</param>
internal readonly record struct HandshakeOutput(ContentType Type, ushort Epoch, byte[] Content);
