using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;

namespace CoAP.Streams;

/// <summary>What the connections of one account have on one lane: their turns, and the responses that the peers have not read.</summary>
/// <param name="account">The account.</param>
/// <param name="book">The unsent bytes of all accounts, on all lanes.</param>
internal sealed class StreamAccount(in Account account, LedgerBook book)
{
    // Each that continues lets others continue at the end of its turn.
    private const int MostResumed = 4;

    private readonly Account _account = account;
    private StreamPlace? _first;
    private StreamPlace? _last;
    private Queue<StreamPlace>? _waiting;
    private long _unsent;

    public ref readonly Account Account => ref _account;

    /// <summary>The number of open connections.</summary>
    public int Connections { get; set; }

    /// <summary>The work that the account may still do before others have their turn. Negative if it has done more than its part.</summary>
    public int Credit { get; set; }

    /// <summary>The next account that is ready.</summary>
    public StreamAccount? Next { get; set; }

    /// <summary>Whether the account waits for its turn.</summary>
    public bool IsQueued { get; set; }

    /// <summary>The number of connections that wait for their turn.</summary>
    public int ReadyCount { get; private set; }

    /// <summary>
    /// Whether one more response may be built. An account without unsent bytes on this lane may always continue, so a wait ends when those are sent.
    /// </summary>
    public bool HasRoom => _unsent == 0 || book.HasRoom(_account);

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

    /// <summary>Charges unsent bytes, or ends the charge if the number is negative.</summary>
    public void ChargeUnsent(long bytes)
    {
        _unsent += bytes;
        if (bytes > 0) { book.Take(_account, bytes); }
        else { book.Release(_account, -bytes); }
    }

    /// <summary>Adds a connection that is not read until the account has room.</summary>
    public void Await(StreamPlace place) => (_waiting ??= new()).Enqueue(place);

    /// <summary>Continues with some of the connections that wait for room.</summary>
    public void ResumeWaiting()
    {
        for (var count = 0; _waiting is { Count: > 0 } && count < MostResumed && HasRoom; count++) { _waiting.Dequeue().EndWait(); }
    }
}
