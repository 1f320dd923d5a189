namespace CoAP.Observing;

/// <summary>Limits the observations of all lanes of an endpoint together. Safe for concurrent use.</summary>
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
