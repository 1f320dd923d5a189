namespace CoAP.Blockwise;

/// <summary>The limits for bodies that a server stores.</summary>
/// <param name="MaxBodySize">The largest body in bytes.</param>
/// <param name="MaxBodiesPerPeer">The number of bodies of one peer, separately for requests and responses.</param>
/// <param name="Lifetime">The time after its last use for which a body is kept, in ticks of 100 ns.</param>
/// <param name="Preferred">The largest block size over datagrams.</param>
/// <param name="Overhead">The bytes that each body counts in addition, to limit the number of tiny bodies.</param>
internal sealed record BodyLimits(
    int MaxBodySize, int MaxBodiesPerPeer, long Lifetime, BlockSize Preferred, int Overhead = 0)
{
    /// <summary>Returns the bytes that a body counts in addition to its own.</summary>
    /// <param name="options">The bytes of the options that are kept with it.</param>
    public long OverheadOf(int options) => Overhead == 0 ? 0 : Overhead + options;
}
