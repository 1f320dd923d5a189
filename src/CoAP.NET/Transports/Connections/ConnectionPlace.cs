using CoAP.Accounting;

namespace CoAP.Transports;

/// <summary>The place of one connection or handshake within a limit. Safe for concurrent use.</summary>
internal sealed class ConnectionPlace(LedgerBook book, in Account account)
{
    private readonly Account _account = account;
    private int _hasLeft;

    /// <summary>Releases the place. Further calls do nothing.</summary>
    public void Leave()
    {
        if (Interlocked.Exchange(ref _hasLeft, 1) == 0) { book.Release(_account); }
    }
}
