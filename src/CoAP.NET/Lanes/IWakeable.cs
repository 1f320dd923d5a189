namespace CoAP.Lanes;

/// <summary>An object that sleeps until it has work.</summary>
internal interface IWakeable
{
    /// <summary>Wakes the object. May be called from any thread.</summary>
    void Wake();
}
