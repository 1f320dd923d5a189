using System.Runtime.InteropServices;

namespace CoAP.Blockwise;

/// <summary>Counts the bodies of each peer, and the bytes of all: what is received and what is kept for sending share the bytes.</summary>
/// <remarks>A peer is known as long as it has a body.</remarks>
internal sealed class BodyBudget(BodyLimits limits)
{
    private readonly Dictionary<BodyPeer, int> _received = [];

    /// <summary>Drops something that can be made again, and answers whether there was any.</summary>
    public Func<bool> MakeRoom { get; set; } = static () => false;

    /// <summary>The bytes of all bodies.</summary>
    public long Bytes { get; private set; }

    /// <summary>Those of them that <see cref="MakeRoom"/> would give back.</summary>
    public long Droppable { get; set; }

    /// <summary>Whether more than half of the bytes are taken by bodies that have to stay.</summary>
    public bool IsTight => Bytes - Droppable > limits.MaxTotalSize / 2;

    /// <summary>The peers that send a body.</summary>
    public int Peers => _received.Count;

    /// <summary>Whether the peer has a body on its way.</summary>
    public bool Has(in BodyPeer peer) => _received.ContainsKey(peer);

    /// <summary>Takes so many bytes, or nothing where they are not there.</summary>
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

    /// <summary>Counts one more body that a peer sends, unless it sends too many.</summary>
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
