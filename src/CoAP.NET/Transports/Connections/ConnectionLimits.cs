using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;

namespace CoAP.Transports;

/// <summary>Charges the open connections of a server, or its handshakes, to the accounts of their peers. Safe for concurrent use.</summary>
/// <param name="ledger">Finds the account of a peer.</param>
/// <param name="book">Records the connections of each account.</param>
/// <param name="setting">The name of the setting that contains the limit.</param>
internal sealed class ConnectionLimits(Ledger ledger, LedgerBook book, string setting)
{
    /// <summary>The open connections.</summary>
    public long Count => book.Used;

    /// <summary>Charges the account of a peer with a connection. Returns <see langword="false"/> and counts a refusal if this would exceed a limit.</summary>
    /// <param name="peer">The peer. Its credentials are not known yet, so the account is that of its address, unless the user selects another one.</param>
    /// <param name="place">The place of the connection.</param>
    /// <param name="limit">The limit that the connection would exceed.</param>
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
/// <param name="Held">The number of connections that the account holds.</param>
/// <param name="Account">The account that was refused.</param>
/// <param name="Count">The value of the limit.</param>
/// <param name="Setting">The name of its setting.</param>
internal readonly record struct ConnectionLimit(long Held, Account Account, long Count, string Setting);
