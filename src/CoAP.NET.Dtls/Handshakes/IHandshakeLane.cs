namespace CoAP.Dtls;

/// <summary>What handshakes need of their lane.</summary>
internal interface IHandshakeLane
{
    /// <summary>The lane of the mesh.</summary>
    ILane Lane { get; }

    /// <summary>The time of the lane.</summary>
    TimeSpan Now { get; }

    /// <summary>The log.</summary>
    DtlsLog Log { get; }

    /// <summary>The cipher of the lane.</summary>
    IRecordCipher Cipher { get; }

    /// <summary>The sizes and times of flights.</summary>
    HandshakeSettings ForHandshakes { get; }

    /// <summary>The time of a whole handshake.</summary>
    TimeSpan HandshakeTimeout { get; }

    /// <summary>The workers that compute.</summary>
    HandshakeWorkers Workers { get; }

    /// <summary>Creates handshakes.</summary>
    IHandshakeSource Source { get; }

    /// <summary>The handshakes in progress.</summary>
    PendingHandshakes Pending { get; }

    /// <summary>Whether there is a place for another handshake.</summary>
    bool HasRoomForHandshake { get; }

    /// <summary>Our connection ID for a handshake; <see langword="null"/> if none are used.</summary>
    ReadOnlyMemory<byte>? NewConnectionId();

    /// <summary>Sends a datagram that is not a protected message.</summary>
    void Send(in ChannelKey address, ReadOnlyMemory<byte> datagram);

    /// <summary>Called when a handshake has succeeded.</summary>
    void OnDone(PendingHandshake pending);

    /// <summary>Called when a handshake has failed.</summary>
    void OnFailed(PendingHandshake pending, string reason, Exception? cause = null);
}
