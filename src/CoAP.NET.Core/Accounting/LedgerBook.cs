using System.Runtime.InteropServices;

namespace CoAP.Accounting;

/// <summary>What accounts hold of one resource. An account holds at most as much as is still free.</summary>
/// <remarks>Safe for concurrent use. Only accounts that hold something are stored.</remarks>
internal sealed class LedgerBook
{
    private const long Greatest = 1L << 60;

    // Below this fraction of the limit, nobody can hold more than is still free.
    private const int Ample = 16;

    private readonly Lock _gate = new();
    private readonly Dictionary<Account, long> _held = [];
    private readonly long _limit;
    private readonly long _unverifiedLimit;
    private readonly long _ample;
    private long _used;
    private long _refused;

    /// <param name="limit">What all accounts together may hold.</param>
    /// <param name="unverifiedLimit">What all unverified addresses together may hold.</param>
    public LedgerBook(long limit, long unverifiedLimit)
    {
        (_limit, _unverifiedLimit) = (Math.Min(limit, Greatest), Math.Min(unverifiedLimit, Greatest));
        _ample = Math.Min(_limit / Ample, _unverifiedLimit);
    }

    /// <summary>What all accounts together may hold.</summary>
    public long Limit => _limit;

    /// <summary>What all accounts together hold.</summary>
    public long Used => Volatile.Read(ref _used);

    /// <summary>The number of refused charges.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Whether any account, whatever it holds, may hold 1 more. Takes no lock.</summary>
    public bool IsAmple => Used < _ample;

    /// <summary>Whether nothing is free.</summary>
    public bool IsFull => Used >= _limit;

    /// <summary>The number of accounts and wider prefixes that hold something.</summary>
    public int Count
    {
        get
        {
            lock (_gate) { return _held.Count; }
        }
    }

    /// <summary>Returns what an account holds.</summary>
    public long HeldBy(in Account account)
    {
        lock (_gate) { return _held.GetValueOrDefault(account); }
    }

    /// <summary>Charges the account unless the amount exceeds its share.</summary>
    public Charge TryCharge(in Account account, long amount = 1)
    {
        lock (_gate)
        {
            var outcome = Judge(account, amount);
            if (outcome == Charge.Accepted) { Add(account, amount); }
            return outcome;
        }
    }

    /// <summary>Returns whether <see cref="TryCharge"/> would accept a charge of 1, without charging.</summary>
    public Charge Check(in Account account)
    {
        lock (_gate) { return Judge(account, 1); }
    }

    /// <summary>Charges the account, whatever it holds. Used for what exists already, such as a request that has passed <see cref="Check"/>.</summary>
    public void Take(in Account account, long amount = 1)
    {
        lock (_gate) { Add(account, amount); }
    }

    /// <summary>Ends a charge.</summary>
    public void Release(in Account account, long amount = 1)
    {
        lock (_gate) { Add(account, -amount); }
    }

    private Charge Judge(in Account account, long amount)
    {
        var free = _limit - _used - amount;
        var outcome = free < 0 ? Charge.Full : HasShare(account, amount, free) ? Charge.Accepted : Charge.OverShare;
        if (outcome != Charge.Accepted) { _refused++; }
        return outcome;
    }

    private bool HasShare(Account account, long amount, long free)
    {
        if (account.IsUnverified && _held.GetValueOrDefault(account) + amount > _unverifiedLimit) { return false; }
        do
        {
            // One more than is free, so that a limit of 1 can be used at all.
            if (_held.GetValueOrDefault(account) + amount > (free + 1) * account.Shares) { return false; }
        }
        while (account.TryWiden(out account));
        return true;
    }

    private void Add(Account account, long amount)
    {
        Volatile.Write(ref _used, _used + amount);
        do
        {
            ref var held = ref CollectionsMarshal.GetValueRefOrAddDefault(_held, account, out _);
            held += amount;
            if (held == 0) { _held.Remove(account); }
        }
        while (account.TryWiden(out account));
    }
}
