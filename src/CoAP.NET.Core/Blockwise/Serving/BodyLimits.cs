namespace CoAP.Blockwise;

/// <summary>What the server remembers of bodies, at most.</summary>
/// <param name="MaxBodySize">The largest body that is collected or kept, in bytes.</param>
/// <param name="MaxBodiesPerPeer">The bodies of one peer, counted apart for requests and responses.</param>
/// <param name="MaxTotalSize">The bytes of all bodies of a lane.</param>
/// <param name="Lifetime">How long a body is kept after it was last used, in ticks of 100 ns.</param>
/// <param name="Preferred">The largest blocks that are wanted and sent over datagrams.</param>
/// <param name="Overhead">What the objects of a body take, so that a multitude of tiny ones has a limit too; 0 where bodies count their bytes alone.</param>
internal sealed record BodyLimits(
    int MaxBodySize, int MaxBodiesPerPeer, long MaxTotalSize, long Lifetime, BlockSize Preferred, int Overhead = 0)
{
    /// <summary>What a body counts besides its bytes.</summary>
    /// <param name="options">The bytes of the options that are kept with it.</param>
    public long CostBeside(int options) => Overhead == 0 ? 0 : Overhead + options;
}
