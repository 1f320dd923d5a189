namespace CoAP.Measurements.HandOffs.Ends;

/// <summary>A hand-off to the other end and one back, by a thread that blocks. A structure, so that the loop around it is compiled for it alone.</summary>
internal interface ITurn
{
    void ThereAndBack();
}
