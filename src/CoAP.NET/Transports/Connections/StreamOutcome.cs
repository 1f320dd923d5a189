namespace CoAP.Transports;

/// <summary>The result of a call to an <see cref="IStreamConnection"/>.</summary>
internal enum StreamOutcome
{
    /// <summary>At least one byte was moved.</summary>
    Done,

    /// <summary>No byte can be moved now.</summary>
    WouldBlock,

    /// <summary>The peer has ended its side.</summary>
    Ended,

    /// <summary>
    /// The peer sends what the transport must not accept, see <see cref="IStreamConnection.Refusal"/>. Our messages can still be sent.
    /// </summary>
    Refused,

    /// <summary>The connection is broken. <see cref="IStreamConnection.Error"/> has the cause.</summary>
    Failed,
}
