using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;
using CoAP.Lanes;

namespace CoAP.Streams;

/// <summary>The connections of one account on one lane: those that can continue, and those that wait until their peers have read responses.</summary>
/// <remarks>As work for the lane, it continues with some of those that wait.</remarks>
/// <param name="account">The account. For IPv6 it is the widest prefix, so that nobody gets a turn for each of many networks.</param>
/// <param name="unsent">The unsent bytes of all accounts, on all lanes.</param>
/// <param name="post">Gives work to the lane, from any thread.</param>
internal sealed class StreamAccount(in Account account, LedgerBook unsent, Action<LaneWork> post) : LaneWork
{
    // The connections resumed in this turn create new responses, which may use up the room. So only a few are resumed at a time.
    private const int MostResumed = 4;

    // An IPv6 site can have thousands of networks. A release must not check all of them, so the next release checks the rest.
    private const int MostMissed = 64;

    private readonly Account _account = account;
    private StreamPlace? _first;
    private StreamPlace? _last;
    private Queue<StreamPlace>? _waiting;
    private int _isPosted;

    public ref readonly Account Account => ref _account;

    /// <summary>The unsent bytes of all accounts.</summary>
    public LedgerBook Unsent => unsent;

    /// <summary>The number of open connections.</summary>
    public int Connections { get; set; }

    /// <summary>Whether the account has no connections and is remembered because of its debt.</summary>
    public bool IsLeaving { get; set; }

    /// <summary>The work that the account may still do in its <see cref="Round"/>. Negative if it has done more than its part.</summary>
    public int Credit { get; set; }

    /// <summary>The last round in which the account received credit.</summary>
    public long Round { get; set; }

    /// <summary>The next account that is ready.</summary>
    public StreamAccount? NextAccount { get; set; }

    /// <summary>Whether the account waits for its turn.</summary>
    public bool IsQueued { get; set; }

    /// <summary>The number of connections that wait for their turn.</summary>
    public int ReadyCount { get; private set; }

    /// <summary>Appends a connection that can continue.</summary>
    public void Enqueue(StreamPlace place)
    {
        if (_last is null) { _first = place; }
        else { _last.Next = place; }
        _last = place;
        ReadyCount++;
    }

    /// <summary>Removes the next connection that can continue.</summary>
    public bool TryDequeue([NotNullWhen(true)] out StreamPlace? place)
    {
        place = _first;
        if (place is null) { return false; }
        _first = place.Next;
        if (_first is null) { _last = null; }
        place.Next = null;
        ReadyCount--;
        return true;
    }

    /// <summary>Adds a connection that is not read until its account has room.</summary>
    public void Await(StreamPlace place)
    {
        (_waiting ??= new()).Enqueue(place);
        if (!unsent.MustWait(place.Owner, Post)) { Post(); }
    }

    public override void Run()
    {
        Volatile.Write(ref _isPosted, 0);
        Account? full = null;
        for (var (left, resumed, missed) = (_waiting?.Count ?? 0, 0, 0); left > 0 && resumed < MostResumed && missed < MostMissed; left--)
        {
            var place = _waiting!.Dequeue();
            // The networks of an IPv6 site wait here together. A network over its share must not block the others.
            if (place.Owner == full || unsent.MustWait(place.Owner, Post))
            {
                if (place.Owner != full) { missed++; }
                full = place.Owner;
                _waiting.Enqueue(place);
                continue;
            }
            place.EndWait();
            if (++resumed == MostResumed) { Post(); }
        }
    }

    // Any thread.
    private void Post()
    {
        if (Interlocked.Exchange(ref _isPosted, 1) == 0) { post(this); }
    }
}
