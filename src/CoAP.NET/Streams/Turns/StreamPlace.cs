namespace CoAP.Streams;

/// <summary>The place of a connection among those of its lane and its account.</summary>
internal abstract class StreamPlace(StreamTurns turns, in Account account)
{
    private readonly Account _owner = account;
    private bool _awaitsRoom;

    /// <summary>The account of the peer.</summary>
    public ref readonly Account Owner => ref _owner;

    /// <summary>The account that has turns. For IPv6 it is wider than <see cref="Owner"/>.</summary>
    public StreamAccount Account { get; } = turns.Join(account);

    /// <summary>Whether one more response may be built.</summary>
    public bool HasRoom => Account.Unsent.HasRoom(_owner);

    /// <summary>The next connection of the account that can continue.</summary>
    public StreamPlace? Next { get; set; }

    /// <summary>Whether the connection waits for its turn.</summary>
    public bool IsReady { get; set; }

    /// <summary>The turns of the lane.</summary>
    protected StreamTurns Turns => turns;

    /// <summary>Lets the connection have a turn.</summary>
    public void Add() => turns.Add(this);

    /// <summary>Waits until the account has room for responses, unless it has room; returns whether it waits.</summary>
    public bool AwaitRoom()
    {
        if (_awaitsRoom) { return true; }
        if (HasRoom) { return false; }
        _awaitsRoom = true;
        Account.Await(this);
        return true;
    }

    /// <summary>Called when the account has room.</summary>
    public void EndWait()
    {
        _awaitsRoom = false;
        OnRoom();
    }

    /// <summary>Charges the account with unsent bytes, or ends the charge if the number is negative.</summary>
    protected void ChargeUnsent(long bytes)
    {
        if (bytes > 0) { Account.Unsent.Take(_owner, bytes); }
        else { Account.Unsent.Release(_owner, -bytes); }
    }

    /// <summary>Sends and reads, until the turn is over.</summary>
    public abstract void RunTurn();

    /// <summary>Called when the account has room after a wait.</summary>
    protected abstract void OnRoom();
}
