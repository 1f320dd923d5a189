namespace CoAP.Blockwise;

/// <summary>Counts the bytes of unfinished response bodies that an endpoint holds in memory. Safe for concurrent use.</summary>
internal sealed class ResponseBudget(long limit)
{
    private long _held;

    /// <summary>The number of bytes that are held.</summary>
    public long Held => Interlocked.Read(ref _held);

    /// <summary>Counts further bytes, or returns <see langword="false"/> if they exceed the limit.</summary>
    public bool TryTake(long bytes)
    {
        if (Interlocked.Add(ref _held, bytes) <= limit) { return true; }
        Give(bytes);
        return false;
    }

    /// <summary>Stops counting bytes that are no longer held.</summary>
    public void Give(long bytes) => Interlocked.Add(ref _held, -bytes);

    /// <summary>Returns the error message of a transfer that would exceed the limit.</summary>
    public string Describe(in PeerIdentity peer) =>
        $"The next block from {peer} does not fit: the unfinished response bodies of all calls hold {Held} bytes, and at most {limit} are allowed "
        + "(ClientTransferSettings.MaxTotalResponseSize).";
}

/// <summary>The part of a <see cref="ResponseBudget"/> that one call uses.</summary>
internal struct ResponseShare(ResponseBudget budget)
{
    private long _taken;

    /// <summary>Sets the bytes that the call holds, or returns <see langword="false"/> if they exceed the limit.</summary>
    public bool TrySet(long bytes)
    {
        if (bytes > _taken && !budget.TryTake(bytes - _taken)) { return false; }
        if (bytes < _taken) { budget.Give(_taken - bytes); }
        _taken = bytes;
        return true;
    }

    /// <summary>Returns all bytes to the budget.</summary>
    public void Clear() => TrySet(0);
}
