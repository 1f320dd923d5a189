namespace CoAP.Transports;

/// <summary>A connection that moves bytes in order. It does not look into the bytes.</summary>
/// <remarks>
/// One thread at a time owns the connection. The blocking form differs in two points: its calls wait instead of returning
/// <see cref="StreamOutcome.WouldBlock"/>, and it raises its events on its own thread.
/// </remarks>
internal interface IStreamConnection : IDisposable
{
    PeerIdentity Peer { get; }

    PeerIdentity Local { get; }

    /// <summary>The scheme of URIs that the connection serves. Default: that of TCP.</summary>
    CoapScheme Scheme => CoapScheme.CoapTcp;

    /// <summary>The credentials of the peer. <see langword="null"/> on a plain transport.</summary>
    PeerCredentials? Credentials => null;

    /// <summary>The reason that the peer gave for closing. <see langword="null"/> if it gave none.</summary>
    string? EndReason => null;

    /// <summary>
    /// Whether the transport itself marks the boundaries of messages. An extended length is then not part of the message (RFC 8323, section 4.2).
    /// </summary>
    bool HasMessageBoundaries => false;

    /// <summary>Whether calls wait, so that the connection needs its own thread.</summary>
    bool IsBlocking { get; }

    /// <summary>Whether events are raised on the thread of the lane, during its turn, and never within a call to the connection.</summary>
    bool RaisesEventsOnLane => false;

    /// <summary>The cause of <see cref="StreamOutcome.Refused"/>.</summary>
    string? Refusal => null;

    /// <summary>The cause of <see cref="StreamOutcome.Failed"/>.</summary>
    Exception? Error { get; }

    /// <summary>Adds the connection to the poller of its lane, unless it reports itself. Call it once, on the lane, before it is attached.</summary>
    void Join(ConnectionPoller poller) { }

    /// <summary>Raises the events that are due, if <see cref="RaisesEventsOnLane"/> is set. Called in the turn that follows <see cref="IStreamEvents.OnReady"/>.</summary>
    void RaiseEvents() { }

    /// <summary>Sets the receiver of the events. Call it once, before the connection is armed.</summary>
    void Attach(IStreamEvents events);

    /// <summary>Receives available bytes.</summary>
    StreamOutcome Receive(Span<byte> buffer, out int count);

    /// <summary>Sends as many bytes as the connection accepts. Must not be called while an armed send is in progress.</summary>
    StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count);

    /// <summary>Calls <see cref="IStreamEvents.OnReadable"/> once, when data, the end or an error is available; possibly within this call.</summary>
    void ArmReceive();

    /// <summary>
    /// Sends the bytes that <see cref="Send"/> did not accept. Calls <see cref="IStreamEvents.OnWritable"/> once, when all bytes are sent or
    /// <see cref="Error"/> is set; possibly within this call. The bytes must not change until then.
    /// </summary>
    /// <remarks>No portable call reports free buffer space. The completion of a send does.</remarks>
    void ArmSend(ReadOnlyMemory<byte> rest);

    /// <summary>Signals the peer that no more bytes follow. The peer's bytes can still be received.</summary>
    void EndSending();
}
