namespace CoAP.Transports;

/// <summary>What became of a call to a connection.</summary>
internal enum StreamOutcome
{
    /// <summary>At least one byte was moved.</summary>
    Done,

    /// <summary>Nothing can be moved now.</summary>
    WouldBlock,

    /// <summary>The peer sends no more.</summary>
    Ended,

    /// <summary>The connection is broken; <see cref="IStreamConnection.Error"/> says why.</summary>
    Failed,
}

/// <summary>A connection that moves bytes in order, and knows nothing of what is in them.</summary>
/// <remarks>
/// Owned by one thread at a time. The blocking form differs in one thing only: its calls wait instead of answering
/// <see cref="StreamOutcome.WouldBlock"/>, and its events come on a thread of its own.
/// </remarks>
internal interface IStreamConnection : IDisposable
{
    PeerIdentity Peer { get; }

    PeerIdentity Local { get; }

    /// <summary>What the peer proved about itself; nothing where the transport is plain.</summary>
    PeerCredentials? Credentials => null;

    /// <summary>Why the peer ended, where it said so.</summary>
    string? EndReason => null;

    /// <summary>Whether the transport tells the length of messages, so that what extends the Len field is no part of them (RFC 8323, section 4.2).</summary>
    bool TellsLength => false;

    /// <summary>Whether calls wait, so that each such connection needs a thread.</summary>
    bool IsBlocking { get; }

    /// <summary>Whether its events come on the lane's own thread, in a turn of the lane and never within a call to the connection.</summary>
    bool IsToldOnLane => false;

    /// <summary>Why a call answered <see cref="StreamOutcome.Failed"/>.</summary>
    Exception? Error { get; }

    /// <summary>Names who is told; once, before anything is armed.</summary>
    void Attach(IStreamEvents events);

    StreamOutcome Receive(Span<byte> buffer, out int count);

    /// <summary>Sends as much as there is room for; not while an armed send is under way.</summary>
    StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count);

    /// <summary>Calls <see cref="IStreamEvents.OnReadable"/> once, as soon as data, the end or a failure is there; perhaps within this call.</summary>
    void ArmReceive();

    /// <summary>
    /// Hands over what <see cref="Send"/> did not take, and calls <see cref="IStreamEvents.OnWritable"/> once, when all of it was sent or
    /// <see cref="Error"/> says why not; perhaps within this call. Until then the bytes stay as they are.
    /// </summary>
    /// <remarks>No portable call tells when there is room; a send under way does.</remarks>
    void ArmSend(ReadOnlyMemory<byte> rest);

    /// <summary>Tells the peer that nothing more comes; what it sends can still be received.</summary>
    void EndSending();
}

/// <summary>Is told that a connection can go on; on any thread, and once more at most after the connection was disposed of.</summary>
internal interface IStreamEvents
{
    void OnReadable();

    void OnWritable();
}
