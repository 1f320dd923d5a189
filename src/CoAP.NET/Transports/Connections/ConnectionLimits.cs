using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;

namespace CoAP.Transports;

/// <summary>Charges the open connections of a server, or its handshakes, to the accounts of their peers. Safe for concurrent use.</summary>
/// <param name="ledger">Names the accounts.</param>
/// <param name="book">The connections that accounts hold.</param>
/// <param name="setting">The name of the setting of the limit.</param>
internal sealed class ConnectionLimits(Ledger ledger, LedgerBook book, string setting)
{
    /// <summary>The open connections.</summary>
    public long Count => book.Used;

    /// <summary>Charges the account of a peer with a connection, or counts it as refused and returns the limit that it would exceed.</summary>
    /// <param name="peer">The peer. Its credentials are not known yet, so its address is charged unless the user has named its account.</param>
    /// <param name="place">The place of the connection.</param>
    /// <param name="limit">The limit that was reached.</param>
    public bool TryEnter(in PeerIdentity peer, [NotNullWhen(true)] out ConnectionPlace? place, out ConnectionLimit limit)
    {
        var account = ledger.AccountOf(peer, credentials: null, isVerified: true);
        (place, limit) = (null, default);
        if (book.TryCharge(account) == Charge.Accepted) { place = new ConnectionPlace(book, account); }
        else
        {
            Interlocked.Increment(ref ConnectionCounters.Refused);
            limit = new ConnectionLimit(book.HeldBy(account), account, book.Limit, setting);
        }
        return place is not null;
    }
}

/// <summary>A limit that was reached.</summary>
/// <param name="Held">What the account holds.</param>
/// <param name="Account">The account that was refused.</param>
/// <param name="Count">The value of the limit.</param>
/// <param name="Setting">The name of its setting.</param>
internal readonly record struct ConnectionLimit(long Held, Account Account, long Count, string Setting);
