using CoAP.Accounting;

namespace CoAP.Observing;

/// <summary>The charge for the response that the observers of a representation share. Slow observers decide how long it is kept.</summary>
/// <remarks>Any observer with room may pay or make the call, because one full account must not end the observations of others.</remarks>
/// <param name="ledger">The ledger.</param>
/// <param name="random">Selects the first observer to look at.</param>
/// <param name="observers">The observers.</param>
internal sealed class RepresentationCharge(Ledger ledger, Random random, RankedObservers observers)
{
    // A call is refused at most for a while, so some observers are enough. A payer is looked for among all, because without one the observations end.
    private const int MostCallers = 256;

    private Account _account;
    private long _charged;

    /// <summary>The number of bytes that are charged or free of charge.</summary>
    public long Size { get; private set; }

    /// <summary>The observer whose account is charged, if any is.</summary>
    public RankedObserver? Payer { get; private set; }

    /// <summary>Ends the charge, and charges another size. Returns <see langword="false"/> if no observer has room for it.</summary>
    /// <remarks>
    /// The limit on observations covers small responses. They are charged where there is room, and kept in any case. Otherwise, forged requests that
    /// fill the part of unverified addresses would end their observations.
    /// </remarks>
    public bool TryKeep(long size)
    {
        if (_charged > 0) { ledger.Bodies.Release(_account, _charged); }
        Payer = size == 0 ? null : Find(observers.Count, account => ledger.Bodies.TryTake(account, size));
        (_charged, Size) = Payer is null ? (0, size) : (size, size);
        if (Payer is not null) { _account = Payer.CurrentAccount; }
        else if (size >= BodyCharge.Least)
        {
            Size = 0;
            ledger.Bodies.CountRefusal(Charge.OverShare, observers[0].CurrentAccount);
        }
        return Size == size;
    }

    /// <summary>Returns the account for a call of the handler: one for which a handler runs at once. Otherwise one that is verified.</summary>
    public Account FindCaller() =>
        (Find(MostCallers, CanCall) ?? Find(MostCallers, static account => !account.IsUnverified) ?? observers[0]).CurrentAccount;

    // Otherwise the call would wait for the handlers of the account, or for its peers to read.
    private bool CanCall(Account account) =>
        ledger.Requests.HasRoom(account) && ledger.HandlerQueue.HasRoom(account) && ledger.HandlerThreads.HasRoom(account) && ledger.UnsentBytes.HasRoom(account);

    // Begins with the first observers of the accounts, anywhere. Looks at each account once: many observers can have the same one, and looking takes locks.
    private RankedObserver? Find(int most, Func<Account, bool> hasRoom)
    {
        var (firsts, start) = (observers.FirstCount, random.Next(observers.FirstCount + 1));
        var refused = default(HashSet<Account>);
        for (var i = 0; i < Math.Min(observers.Count, most); i++)
        {
            var observer = observers[i < firsts ? (start + i) % firsts : i];
            var account = observer.CurrentAccount;
            if (refused?.Contains(account) == true) { continue; }
            if (hasRoom(account)) { return observer; }
            (refused ??= []).Add(account);
        }
        return null;
    }
}
