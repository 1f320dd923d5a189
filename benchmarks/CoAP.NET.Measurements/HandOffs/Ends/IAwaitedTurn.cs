namespace CoAP.Measurements.HandOffs.Ends;

/// <summary>The same where both ends await.</summary>
internal interface IAwaitedTurn
{
    ValueTask<int> ThereAndBackAsync();
}
