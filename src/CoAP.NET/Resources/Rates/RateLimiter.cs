using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Resources;

/// <summary>Counts the requests of accounts and refuses those above a <see cref="RateLimit"/>. Safe for concurrent use.</summary>
/// <remarks>
/// For each account, the limiter stores the time until which past requests use up the rate. Each request moves this time forward by one interval, and is refused
/// if the time would be further ahead than the burst allows. Once the time has passed, the account needs no entry. Unverified addresses share a table of
/// fixed size, so that forged ones cost nothing.
/// Together, they may send as much as <see cref="UnverifiedShares"/> accounts.
/// </remarks>
internal sealed class RateLimiter(RateLimit limit)
{
    /// <summary>What all unverified addresses may send together, as a multiple of the limit of an account.</summary>
    public const int UnverifiedShares = 64;

    // If this many accounts are active, further ones are not limited. Otherwise, an attacker with many addresses could lock out everybody else.
    private const int MaxAccounts = 65_536;
    private const int UnverifiedPlaces = 4096;

    private static readonly long SweepInterval = TimeSpan.FromSeconds(1).Ticks;
    private static readonly ulong HashKey = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    private readonly Lock _gate = new();
    private readonly Dictionary<Account, long> _paidUntil = [];
    private readonly long _cost = Math.Max(1, limit.Per.Ticks / limit.Requests);    // the time of one request in ticks
    private long[]? _unverified;
    private long _allUnverified;
    private int _sweepAt = 1024;
    private long _nextSweep = long.MinValue;

    /// <summary>The number of accounts that have sent requests lately.</summary>
    public int Count
    {
        get { lock (_gate) { return _paidUntil.Count; } }
    }

    /// <summary>Counts a request. Returns <see langword="false"/>, and counts nothing, if the account has to wait.</summary>
    /// <param name="account">The account.</param>
    /// <param name="peer">The address, which counts on its own as long as it is not verified.</param>
    /// <param name="now">The time in ticks.</param>
    /// <param name="wait">The time to wait in ticks.</param>
    public bool TryCount(Account account, in PeerIdentity peer, long now, out long wait)
    {
        lock (_gate)
        {
            if (account.IsUnverified) { return TryCountUnverified(peer, now, out wait); }
            wait = 0;
            for (var one = account; ; one = Wider(one))
            {
                wait = Math.Max(wait, Ahead(_paidUntil.GetValueOrDefault(one), one.Shares, now));
                if (!one.TryWiden(out _)) { break; }
            }
            if (wait > 0) { return false; }
            for (var one = account; ; one = Wider(one))
            {
                Pay(one, now);
                if (!one.TryWiden(out _)) { return true; }
            }
        }
    }

    /// <summary>Counts a request. Returns <see langword="false"/> and the answer if the account has to wait.</summary>
    public bool TryCount(ExchangeLane lane, IncomingRequest request, [NotNullWhen(false)] out CoapResponse? refusal)
    {
        var account = request.Account;
        refusal = TryCount(lane, account, request.Peer, out var wait) ? null
            // A verified address counts on its own, so forged requests cannot keep out the client that they name.
            : account.IsUnverified ? lane.Addresses!.Challenge(request.Peer)
            : Response.TooManyRequests(TimeSpan.FromTicks(wait));
        return refusal is null;
    }

    /// <summary>Counts a request now, like <see cref="TryCount(Account, in PeerIdentity, long, out long)"/>.</summary>
    public bool TryCount(Lane lane, Account account, in PeerIdentity peer, out long wait) => TryCount(account, peer, lane.Time.GetElapsedTime(0).Ticks, out wait);

    private static Account Wider(Account account) => account.TryWiden(out var wider) ? wider : account;

    private bool TryCountUnverified(in PeerIdentity peer, long now, out long wait)
    {
        _unverified ??= new long[UnverifiedPlaces];
        ref var own = ref _unverified[Account.Of(peer).Hash(HashKey) % UnverifiedPlaces];
        wait = Math.Max(Ahead(own, shares: 1, now), Ahead(_allUnverified, UnverifiedShares, now));
        if (wait > 0) { return false; }
        own = Paid(own, shares: 1, now);
        _allUnverified = Paid(_allUnverified, UnverifiedShares, now);
        return true;
    }

    // How much further ahead the account is than the burst allows.
    private long Ahead(long paidUntil, int shares, long now) => Math.Max(0, paidUntil - now - ((((long)limit.Burst * shares) - 1) * CostFor(shares)));

    // The time until which the account has paid after one more request.
    private long Paid(long paidUntil, int shares, long now) => Math.Max(paidUntil, now) + CostFor(shares);

    private long CostFor(int shares) => Math.Max(1, _cost / shares);

    private void Pay(Account account, long now)
    {
        if (_paidUntil.TryGetValue(account, out var paidUntil) || HasRoom(now))
        {
            _paidUntil[account] = Paid(paidUntil, account.Shares, now);
        }
    }

    // Accounts that may send a whole burst again need no entry. The next sweep comes when twice as many are left, so each request costs little.
    private bool HasRoom(long now)
    {
        if (_paidUntil.Count < _sweepAt) { return true; }
        if (now < _nextSweep) { return _paidUntil.Count < MaxAccounts; }
        foreach (var (account, paidUntil) in _paidUntil)
        {
            if (paidUntil <= now) { _paidUntil.Remove(account); }
        }
        // With the most accounts, each further one would cause another sweep.
        _nextSweep = now + SweepInterval;
        _sweepAt = Math.Clamp(2 * _paidUntil.Count, 1024, MaxAccounts);
        return _paidUntil.Count < MaxAccounts;
    }
}
