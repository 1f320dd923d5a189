using System.Runtime.InteropServices;

namespace CoAP.Accounting;

/// <summary>Records how much of one resource each account holds. An account may hold at most as much as is still free.</summary>
/// <remarks>Safe for concurrent use. Only accounts that hold something are stored.</remarks>
internal sealed class LedgerBook
{
    private const long Greatest = 1L << 60;

    // While less than 1/16 of the limit is in use, no account can exceed its share.
    private const int Ample = 16;

    private readonly Lock _gate = new();
    private readonly Dictionary<Account, long> _held = [];
    private readonly long _limit;
    private readonly long _unverifiedLimit;
    private readonly long _ample;
    private long _used;
    private long _refused;
    private HashSet<Action>? _onRelease;

    /// <param name="limit">The amount that all accounts together may hold.</param>
    /// <param name="unverifiedLimit">The amount that all unverified addresses together may hold.</param>
    public LedgerBook(long limit, long unverifiedLimit)
    {
        (_limit, _unverifiedLimit) = (Math.Min(limit, Greatest), Math.Min(unverifiedLimit, Greatest));
        _ample = Math.Min(_limit / Ample, _unverifiedLimit);
    }

    /// <summary>The amount that all accounts together may hold.</summary>
    public long Limit => _limit;

    /// <summary>The amount that an account may hold if nobody else holds anything: as much as is then free, or one more.</summary>
    public long LargestShare => (_limit + 1) / 2;

    /// <summary>The amount that all accounts together hold.</summary>
    public long Used => Volatile.Read(ref _used);

    /// <summary>Called on any thread after a charge to an account was refused.</summary>
    public Action<LedgerBook, Account>? OnRefused { get; init; }

    /// <summary>The number of refused charges.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Whether so little is in use that every account may hold 1 more. Takes no lock.</summary>
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

    /// <summary>Returns the amount that an account holds.</summary>
    public long HeldBy(in Account account)
    {
        lock (_gate) { return _held.GetValueOrDefault(account); }
    }

    /// <summary>Charges the account, unless it would exceed its share.</summary>
    public Charge TryCharge(in Account account, long amount = 1) => CountRefusal(TryEnter(account, amount), account);

    /// <summary>Charges the account, unless it would exceed its share. Does not count a refusal, because the caller makes room or counts it later.</summary>
    public Charge TryEnter(in Account account, long amount = 1)
    {
        lock (_gate)
        {
            var outcome = Judge(account, amount);
            if (outcome == Charge.Accepted) { Add(account, amount); }
            return outcome;
        }
    }

    /// <summary>Charges the account, unless it would exceed its share. Does not count a refusal, because the caller waits.</summary>
    public bool TryTake(in Account account, long amount = 1) => TryEnter(account, amount) == Charge.Accepted;

    /// <summary>Counts the outcome of a charge if it is a refusal. Called without locks, because it can write to the log.</summary>
    public Charge CountRefusal(Charge outcome, in Account account)
    {
        if (outcome != Charge.Accepted)
        {
            Interlocked.Increment(ref _refused);
            OnRefused?.Invoke(this, account);
        }
        return outcome;
    }

    /// <summary>Counts a refusal that has another reason than the amount that is held. Nothing is logged.</summary>
    public void CountRefusal() => Interlocked.Increment(ref _refused);

    /// <summary>
    /// Returns whether the account has to wait for room. It does not have to if it holds nothing, because then nothing of its own would be released.
    /// </summary>
    /// <param name="account">The account.</param>
    /// <param name="onRelease">Called once, on any thread, after the next release. Not called if the account does not have to wait.</param>
    public bool MustWait(in Account account, Action onRelease)
    {
        if (IsAmple) { return false; }
        lock (_gate)
        {
            if (MayContinue(account)) { return false; }
            (_onRelease ??= []).Add(onRelease);
            return true;
        }
    }

    /// <summary>Whether the account may be charged with 1, or holds nothing.</summary>
    public bool HasRoom(in Account account)
    {
        if (IsAmple) { return true; }
        lock (_gate) { return MayContinue(account); }
    }

    /// <summary>Whether the account may be charged with an amount.</summary>
    public bool HasRoom(in Account account, long amount)
    {
        if (Used + amount <= _ample) { return true; }
        lock (_gate) { return Judge(account, amount) == Charge.Accepted; }
    }

    /// <summary>Whether the account, or a prefix that contains it, holds more than half of what it may hold now.</summary>
    public bool IsScarceFor(Account account)
    {
        if (IsAmple) { return false; }
        lock (_gate)
        {
            do
            {
                if (_held.GetValueOrDefault(account) > (_limit - _used) / 2 * account.Shares) { return true; }
            }
            while (account.TryWiden(out account));
            return false;
        }
    }

    /// <summary>Returns the free part of what an account could hold now: 1 if it holds nothing, 0 if it has no room.</summary>
    public double FreePartFor(in Account account)
    {
        lock (_gate)
        {
            var held = _held.GetValueOrDefault(account);
            if (held == 0) { return 1; }
            var room = (_limit - _used + 1 - held) / 2;
            if (account.IsUnverified) { room = Math.Min(room, _unverifiedLimit - held); }
            return room <= 0 ? 0 : (double)room / (room + held);
        }
    }

    /// <summary>Returns the outcome that <see cref="TryCharge"/> would have for an amount of 1. Charges nothing, and counts a refusal.</summary>
    public Charge Check(in Account account)
    {
        Charge outcome;
        lock (_gate) { outcome = Judge(account, 1); }
        return CountRefusal(outcome, account);
    }

    /// <summary>Charges the account without a check. Used for items that exist already, such as a request that has passed <see cref="Check"/>.</summary>
    public void Take(in Account account, long amount = 1)
    {
        lock (_gate) { Add(account, amount); }
    }

    /// <summary>Releases an amount that was charged.</summary>
    public void Release(in Account account, long amount = 1)
    {
        HashSet<Action>? waiting;
        lock (_gate)
        {
            Add(account, -amount);
            (waiting, _onRelease) = (_onRelease, null);
        }
        if (waiting is null) { return; }
        foreach (var onRelease in waiting) { onRelease(); }
    }

    private bool MayContinue(in Account account) => HoldsNothing(account) || Judge(account, 1) == Charge.Accepted;

    // An account that holds something already and asks for much more than is free exceeds its share. It must not take the room of others.
    private Charge Judge(in Account account, long amount)
    {
        var free = _limit - _used - amount;
        if (free >= 0) { return HasShare(account, amount, free) ? Charge.Accepted : Charge.OverShare; }
        return account.IsUnverified || amount == 1 || HoldsNothing(account) ? Charge.Full : Charge.OverShare;
    }

    private bool HoldsNothing(Account account)
    {
        do
        {
            if (_held.ContainsKey(account)) { return false; }
        }
        while (account.TryWiden(out account));
        return true;
    }

    private bool HasShare(Account account, long amount, long free)
    {
        if (account.IsUnverified && _held.GetValueOrDefault(account) + amount > _unverifiedLimit) { return false; }
        do
        {
            // An account may hold one more than is free. Otherwise a limit of 1 would allow nothing.
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
