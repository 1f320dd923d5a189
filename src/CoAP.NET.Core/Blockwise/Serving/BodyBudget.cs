using System.Runtime.InteropServices;
using CoAP.Accounting;

namespace CoAP.Blockwise;

/// <summary>Counts the bodies of each peer, and charges the bytes of received and kept bodies to their accounts.</summary>
/// <param name="limits">The limits of one peer.</param>
/// <param name="book">The bytes of all bodies of the endpoint.</param>
/// <remarks>A peer is stored while it has a body.</remarks>
internal sealed class BodyBudget(BodyLimits limits, LedgerBook book)
{
    private readonly Dictionary<BodyPeer, int> _received = [];

    /// <summary>Drops a body that can be created again. The account is the owner of the body, or <see langword="null"/> for any. Returns whether there was one.</summary>
    public Func<Account?, bool> MakeRoom { get; set; } = static _ => false;

    /// <summary>The number of bytes of the bodies of this lane.</summary>
    public long Bytes { get; private set; }

    /// <summary>The most bytes that one account can ever be charged with.</summary>
    public long LargestCharge => book.LargestShare;

    /// <summary>The number of peers that send a body.</summary>
    public int Peers => _received.Count;

    /// <summary>Returns whether the peer is sending a body.</summary>
    public bool Has(in BodyPeer peer) => _received.ContainsKey(peer);

    /// <summary>Returns the size of the largest request body that can be collected for a key.</summary>
    public int LargestBody(in BodyKey key) => (int)Math.Clamp(LargestCharge - limits.OverheadOf(key.Operation.Length), 0, limits.MaxBodySize);

    /// <summary>Charges an account with a number of bytes. Returns <see langword="false"/> and charges nothing if they are not available.</summary>
    public bool TryTake(in Account account, long bytes)
    {
        if (bytes > 0 && TryCharge(account, bytes) != Charge.Accepted) { return false; }
        if (bytes < 0) { book.Release(account, -bytes); }
        Bytes += bytes;
        return true;
    }

    public void Give(in Account account, long bytes) => TryTake(account, -bytes);

    /// <summary>Charges an account with bytes outside the bodies of this lane. If room is short, drops bodies that can be created again.</summary>
    public Charge TryCharge(in Account account, long bytes)
    {
        while (true)
        {
            var outcome = book.TryEnter(account, bytes);
            if (outcome == Charge.Accepted || bytes > book.Limit || !MakeRoom(outcome == Charge.OverShare || account.IsUnverified ? account : null))
            {
                return book.CountRefusal(outcome, account);
            }
        }
    }

    /// <summary>Hands the charge for a complete body over to its request. A small charge is released at once.</summary>
    public BodyCharge? HandOver(in Account account, long bytes)
    {
        if (bytes < BodyCharge.Least)
        {
            Give(account, bytes);
            return null;
        }
        Bytes -= bytes;
        return new BodyCharge(book, account, bytes);
    }

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
