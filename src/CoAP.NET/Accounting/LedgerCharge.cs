using CoAP.Accounting;

namespace CoAP;

/// <summary>A charge to an account. It lasts until you dispose of it. Safe for concurrent use.</summary>
public sealed class LedgerCharge : IDisposable
{
    private LedgerBook? _book;

    internal LedgerCharge(LedgerBook book, Account account, long amount) => (_book, Account, Amount) = (book, account, amount);

    /// <summary>The charged account.</summary>
    public Account Account { get; }

    /// <summary>The number of connections, handshakes or bytes.</summary>
    public long Amount { get; }

    /// <summary>Ends the charge. Does nothing if it has ended.</summary>
    public void Dispose() => Interlocked.Exchange(ref _book, null)?.Release(Account, Amount);
}
