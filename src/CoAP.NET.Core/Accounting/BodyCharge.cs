namespace CoAP.Accounting;

/// <summary>The charge for the bytes of a request. It lasts until the request and all other holders have released it.</summary>
/// <param name="book">The bytes of all bodies of the endpoint.</param>
/// <param name="account">The account that has been charged.</param>
/// <param name="bytes">The number of bytes.</param>
/// <remarks>Safe for concurrent use, because a handler can end on any thread.</remarks>
internal sealed class BodyCharge(LedgerBook book, Account account, long bytes)
{
    /// <summary>The smallest number of bytes that is charged.</summary>
    public const int Least = 1024;

    private int _holders = 1;       // the request itself

    /// <summary>Counts another holder.</summary>
    public BodyCharge Hold()
    {
        Interlocked.Increment(ref _holders);
        return this;
    }

    /// <summary>Called once by each holder. The last call releases the bytes.</summary>
    public void Release()
    {
        if (Interlocked.Decrement(ref _holders) == 0) { book.Release(account, bytes); }
    }
}
