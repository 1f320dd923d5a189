namespace CoAP.Dtls;

/// <summary>Epoch and sequence number of a record, as the 64 bits on the wire (RFC 6347, section 4.1).</summary>
/// <remarks>
/// The upper 16 of the 48 bits of our own sequence numbers are the generation. Each process that takes over a session starts a new generation, so that two
/// processes that both believe they own the session never use the same nonce.
/// </remarks>
internal readonly record struct RecordNumber(ulong Value)
{
    private const int SequenceBits = 48;
    private const int CounterBits = 32;
    private const ulong SequenceMask = (1UL << SequenceBits) - 1;

    /// <summary>The highest counter of a generation, which starts at 0.</summary>
    public const long MaxCounter = uint.MaxValue;

    public ushort Epoch => (ushort)(Value >> SequenceBits);

    public ulong Sequence => Value & SequenceMask;

    public ushort Generation => (ushort)(Sequence >> CounterBits);

    public uint Counter => (uint)Value;

    /// <summary>Returns the first number of a generation.</summary>
    public static RecordNumber FirstOf(ushort epoch, ushort generation) => new(((ulong)epoch << SequenceBits) | ((ulong)generation << CounterBits));
}
