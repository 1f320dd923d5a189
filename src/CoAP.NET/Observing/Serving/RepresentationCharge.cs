using CoAP.Accounting;

namespace CoAP.Observing;

/// <summary>The charge for the response that the observers of a representation share. Slow observers decide how long it is kept.</summary>
/// <remarks>Any observer with room may pay or make the call, because one full account must not end the observations of others.</remarks>
/// <param name="ledger">The ledger.</param>
/// <param name="random">Selects the first observer to look at.</param>
/// <param name="accountOf">Returns the account of an observer.</param>
internal sealed class RepresentationCharge(Ledger ledger, Random random, Func<int, Account> accountOf)
{
    private const int Nobody = -1;

    // A call is refused at most for a while, so some observers are enough. A payer is looked for among all, because without one the observations end.
    private const int MostCallers = 256;

    private Account _account;
    private long _charged;

    /// <summary>The number of bytes that are charged or free of charge.</summary>
    public long Size { get; private set; }

    /// <summary>Ends the charge, and charges another size. Returns <see langword="false"/> if no observer has room for it.</summary>
    /// <param name="size">The number of bytes.</param>
    /// <param name="observers">The number of observers.</param>
    /// <param name="payer">The index of the observer whose account is charged; -1 if none is.</param>
    /// <remarks>
    /// The limit on observations covers small responses. They are charged where there is room, and kept in any case. Otherwise, forged requests that
    /// fill the part of unverified addresses would end their observations.
    /// </remarks>
    public bool TryKeep(long size, int observers, out int payer)
    {
        if (_charged > 0) { ledger.Bodies.Release(_account, _charged); }
        payer = size == 0 ? Nobody : Find(observers, observers, account => ledger.Bodies.TryTake(account, size));
        (_charged, Size) = payer == Nobody ? (0, size) : (size, size);
        if (payer != Nobody) { _account = accountOf(payer); }
        else if (size >= BodyCharge.Least)
        {
            Size = 0;
            ledger.Bodies.CountRefusal(Charge.OverShare, accountOf(0));
        }
        return Size == size;
    }

    /// <summary>Returns the account for a call of the handler: one for which a handler runs at once. Otherwise one that is verified.</summary>
    public Account FindCaller(int observers)
    {
        var caller = Find(observers, MostCallers, CanCall);
        if (caller == Nobody) { caller = Find(observers, MostCallers, static account => !account.IsUnverified); }
        return accountOf(Math.Max(caller, 0));
    }

    // Otherwise the call would wait for the handlers of the account, or for its peers to read.
    private bool CanCall(Account account) =>
        ledger.Requests.HasRoom(account) && ledger.HandlerQueue.HasRoom(account) && ledger.HandlerThreads.HasRoom(account) && ledger.UnsentBytes.HasRoom(account);

    // Looks at each account once. Many observers can have the same account, and looking takes locks.
    private int Find(int observers, int most, Func<Account, bool> hasRoom)
    {
        var first = random.Next(observers);
        var refused = default(HashSet<Account>);
        for (var i = 0; i < Math.Min(observers, most); i++)
        {
            var observer = (first + i) % observers;
            if (refused?.Contains(accountOf(observer)) == true) { continue; }
            if (hasRoom(accountOf(observer))) { return observer; }
            (refused ??= []).Add(accountOf(observer));
        }
        return Nobody;
    }
}
