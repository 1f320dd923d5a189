namespace CoAP.Streams;

/// <summary>The place of a connection among those of its lane and its account.</summary>
internal abstract class StreamPlace(StreamTurns turns, in Account account)
{
    private bool _awaitsRoom;

    /// <summary>The account of the peer.</summary>
    public StreamAccount Account { get; } = turns.Join(account);

    /// <summary>The next connection of the account that can continue.</summary>
    public StreamPlace? Next { get; set; }

    /// <summary>Whether the connection waits for its turn.</summary>
    public bool IsReady { get; set; }

    /// <summary>The turns of the lane.</summary>
    protected StreamTurns Turns => turns;

    /// <summary>Lets the connection have a turn.</summary>
    public void Add() => turns.Add(this);

    /// <summary>Waits until the account has room for responses, unless it has room.</summary>
    public void AwaitRoom()
    {
        if (_awaitsRoom || Account.HasRoom) { return; }
        _awaitsRoom = true;
        Account.Await(this);
    }

    /// <summary>Called when the account has room.</summary>
    public void EndWait()
    {
        _awaitsRoom = false;
        OnRoom();
    }

    /// <summary>Sends and reads, until the turn is over.</summary>
    public abstract void RunTurn();

    /// <summary>Called when the account has room after a wait.</summary>
    protected abstract void OnRoom();
}
