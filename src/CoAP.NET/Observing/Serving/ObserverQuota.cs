namespace CoAP.Observing;

/// <summary>The observations that all lanes of an endpoint may hold together. Safe for concurrent use.</summary>
internal sealed class ObserverQuota(int most)
{
    private int _taken;

    public bool TryTake()
    {
        if (Interlocked.Increment(ref _taken) <= most) { return true; }
        Release();
        return false;
    }

    public void Release() => Interlocked.Decrement(ref _taken);
}
