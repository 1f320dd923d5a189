using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using CoAP.Accounting;
using CoAP.Lanes;

namespace CoAP.Streams;

/// <summary>
/// Decides which connection of a lane continues next: deficit round robin over the accounts that are ready, and round robin over the connections of each.
/// </summary>
/// <remarks>
/// <para>Work is counted in units of about 1 µs, the time of a small request. In each round, each account may do the work of one turn, however many
/// connections it has. Work beyond a turn is deducted from the next turns of the account.</para>
/// <para>An account that has not used up its turn in this round comes before those that have. A peer with few requests therefore does not wait for all
/// others. Accounts with turns left could keep the lane busy for ever. In each turn of the lane, one account that has used up its turn therefore starts the
/// next round.</para>
/// <para>An account without connections is remembered until its debt is paid. Otherwise, new connections would bring new turns.</para>
/// <para>The connections of an account share its turn. If many are ready, each may do less.</para>
/// </remarks>
/// <param name="time">The clock.</param>
/// <param name="unsent">The unsent bytes of all accounts.</param>
/// <param name="post">Gives work to the lane, from any thread.</param>
/// <param name="run">Runs the turn of a connection and handles its exception.</param>
internal sealed class StreamTurns(TimeProvider time, LedgerBook unsent, Action<LaneWork> post, Action<StreamPlace> run)
{
    // Half a millisecond.
    private const int AccountTurn = 512;

    // After so much work, the lane looks for other connections that are ready.
    private const int LaneTurn = 1024;

    // A connection may do so much even if others of its account are ready, because each turn has a cost.
    private const int LeastTurn = 64;

    // The cost of a turn itself: the system call that receives.
    private const int TurnCost = 6;

    private const int BytesPerUnit = 1024;
    private const int UnitsPerSecond = 1_000_000;
    private const int ChargesPerClock = 8;

    // The accounts without connections that one turn of the lane looks at.
    private const int MostForgotten = 256;

    // The operating system may interrupt a turn. An account must not wait for long because of that.
    private const int GreatestDebt = 2 * AccountTurn;

    private readonly Dictionary<Account, StreamAccount> _accounts = [];
    private readonly long _ticksPerUnit = Math.Max(1, time.TimestampFrequency / UnitsPerSecond);
    private readonly Queue<StreamAccount> _leaving = new();
    private readonly AccountQueue _early = new();
    private readonly AccountQueue _late = new();
    private long _round;
    private long _startedAt;
    private int _left = int.MaxValue;
    private int _charges;

    /// <summary>The number of accounts that have connections, or had some in this round.</summary>
    public int AccountCount => _accounts.Count;

    /// <summary>Whether a connection can continue.</summary>
    public bool HasReady => !_early.IsEmpty || !_late.IsEmpty;

    /// <summary>Whether the connection has done its work, so that others continue.</summary>
    public bool IsOver => _left <= 0;

    /// <summary>Adds an open connection, and returns its account.</summary>
    public StreamAccount Join(Account account)
    {
        account = account.Widest;
        ref var joined = ref CollectionsMarshal.GetValueRefOrAddDefault(_accounts, account, out _);
        joined ??= new StreamAccount(account, unsent, post) { Credit = AccountTurn, Round = _round };
        joined.Connections++;
        return joined;
    }

    /// <summary>Removes a closed connection.</summary>
    public void Leave(StreamAccount account)
    {
        if (--account.Connections > 0 || account.IsLeaving) { return; }
        account.IsLeaving = true;
        _leaving.Enqueue(account);
    }

    /// <summary>Queues a connection that can continue, unless it is queued.</summary>
    public void Add(StreamPlace place)
    {
        if (place.IsReady) { return; }
        place.IsReady = true;
        place.Account.Enqueue(place);
        if (!place.Account.IsQueued) { Append(place.Account); }
    }

    /// <summary>Counts the work for a message.</summary>
    /// <param name="messages">0 or 1.</param>
    /// <param name="bytes">The bytes that it copies.</param>
    public void Charge(int messages, int bytes)
    {
        _left -= messages + (bytes / BytesPerUnit);
        // A clock read for each message would be a notable part of its work.
        if ((++_charges & (ChargesPerClock - 1)) == 0 && _left < AccountTurn && UnitsUntil(time.GetTimestamp()) >= AccountTurn) { _left = 0; }
    }

    /// <summary>Lets connections continue until they have nothing to do, or the lane should look for others.</summary>
    public void Run()
    {
        StartClock();
        ForgetLeaving();
        var left = LaneTurn;
        while (left > 0 && TryDequeue(out var account)) { left -= Visit(account); }
        if (_late.TryDequeue(out var late))
        {
            StartRound(late);
            Visit(late);
        }
    }

    /// <summary>Starts the time that <see cref="ChargeTime"/> charges.</summary>
    public void StartClock() => _startedAt = time.GetTimestamp();

    /// <summary>Charges an account with the time since the start of the clock, and starts the clock again.</summary>
    public void ChargeTime(StreamAccount account)
    {
        var now = time.GetTimestamp();
        Charge(account, UnitsUntil(now));
        _startedAt = now;
    }

    private static void Charge(StreamAccount account, long work) => account.Credit = (int)Math.Max(account.Credit - work, -GreatestDebt);

    private long UnitsUntil(long timestamp) => (timestamp - _startedAt) / _ticksPerUnit;

    private int Visit(StreamAccount account)
    {
        var before = account.Credit;
        // A connection can be ready again at once. The account counts as queued during the visit, so it is queued once, when its credit is known.
        while (account.Credit > 0 && account.TryDequeue(out var place))
        {
            place.IsReady = false;
            var most = Math.Min(AccountTurn / (account.ReadyCount + 1), account.Credit);
            Charge(account, RunTurn(place, Math.Max(most, LeastTurn)));
        }
        var work = Math.Max(1, before - account.Credit);
        account.IsQueued = false;
        if (account.ReadyCount > 0) { Append(account); }
        return work;
    }

    private long RunTurn(StreamPlace place, int most)
    {
        _left = most;
        run(place);
        var now = time.GetTimestamp();
        var work = TurnCost + Math.Max(most - _left, UnitsUntil(now));
        (_left, _startedAt) = (int.MaxValue, now);
        return work;
    }

    private void Append(StreamAccount account)
    {
        Replenish(account);
        account.IsQueued = true;
        (account.Credit > 0 ? _early : _late).Append(account);
    }

    private bool TryDequeue([NotNullWhen(true)] out StreamAccount? account)
    {
        if (_early.TryDequeue(out account)) { Replenish(account); }
        else if (_late.TryDequeue(out account)) { StartRound(account); }
        return account is not null;
    }

    // The account has used up its turn in this round, or has waited for the next one.
    private void StartRound(StreamAccount account)
    {
        if (account.Round == _round) { _round++; }
        Replenish(account);
    }

    private void ForgetLeaving()
    {
        if (_leaving.Count == 0) { return; }
        if (_late.IsEmpty) { _round++; }        // nobody waits for the next round
        for (var left = Math.Min(_leaving.Count, MostForgotten); left > 0; left--)
        {
            var account = _leaving.Dequeue();
            Replenish(account);
            account.IsLeaving = account.Connections == 0 && account.Credit < AccountTurn;
            if (account.IsLeaving) { _leaving.Enqueue(account); }
            else if (account.Connections == 0) { _accounts.Remove(account.Account); }
        }
    }

    private void Replenish(StreamAccount account)
    {
        if (account.Round == _round) { return; }
        account.Credit = (int)Math.Min(account.Credit + ((_round - account.Round) * AccountTurn), AccountTurn);
        account.Round = _round;
    }

    private sealed class AccountQueue
    {
        private StreamAccount? _first;
        private StreamAccount? _last;

        public bool IsEmpty => _first is null;

        public void Append(StreamAccount account)
        {
            if (_last is null) { _first = account; }
            else { _last.NextAccount = account; }
            _last = account;
        }

        public bool TryDequeue([NotNullWhen(true)] out StreamAccount? account)
        {
            account = _first;
            if (account is null) { return false; }
            _first = account.NextAccount;
            if (_first is null) { _last = null; }
            account.NextAccount = null;
            return true;
        }
    }
}
