using System.Runtime.InteropServices;

namespace CoAP.Blockwise;

/// <summary>Counts the bodies of each peer, and the bytes of received and kept bodies together.</summary>
/// <remarks>A peer is stored while it has a body.</remarks>
internal sealed class BodyBudget(BodyLimits limits)
{
    private readonly Dictionary<BodyPeer, int> _received = [];

    /// <summary>Drops a body that can be created again. Returns whether there was one.</summary>
    public Func<bool> MakeRoom { get; set; } = static () => false;

    /// <summary>The number of bytes of all bodies.</summary>
    public long Bytes { get; private set; }

    /// <summary>The number of bytes that <see cref="MakeRoom"/> could free.</summary>
    public long Droppable { get; set; }

    /// <summary>Whether bodies that must not be dropped take more than half of the bytes.</summary>
    public bool IsTight => Bytes - Droppable > limits.MaxTotalSize / 2;

    /// <summary>The number of peers that send a body.</summary>
    public int Peers => _received.Count;

    /// <summary>Returns whether the peer is sending a body.</summary>
    public bool Has(in BodyPeer peer) => _received.ContainsKey(peer);

    /// <summary>Takes a number of bytes, or nothing if they are not available.</summary>
    public bool TryTake(long bytes)
    {
        while (Bytes + bytes > limits.MaxTotalSize)
        {
            if (bytes > limits.MaxTotalSize || !MakeRoom()) { return false; }
        }
        Bytes += bytes;
        return true;
    }

    public void Give(long bytes) => Bytes -= bytes;

    /// <summary>Counts another body of a peer, unless it sends too many.</summary>
    public bool TryOpen(in BodyPeer peer)
    {
        ref var count = ref CollectionsMarshal.GetValueRefOrAddDefault(_received, peer, out _);
        if (count >= limits.MaxBodiesPerPeer) { return false; }
        count++;
        return true;
    }

    public void Close(in BodyPeer peer)
    {
        ref var count = ref CollectionsMarshal.GetValueRefOrNullRef(_received, peer);
        if (--count == 0) { _received.Remove(peer); }
    }
}
