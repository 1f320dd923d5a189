namespace CoAP.Load;

/// <summary>Where something counts: in what is measured, or in what came before and after it.</summary>
/// <remarks>
/// A closed loop counts what ends within the time measured. An open loop counts the requests that were meant to be sent in it, however late
/// their answers come.
/// </remarks>
internal sealed class Tallies(bool isOpenLoop)
{
    private readonly Tally _other = new();

    public Tally Measured { get; } = new();

    /// <summary>The time measured has begun and is not over.</summary>
    public bool IsMeasuring { get; set; }

    /// <summary>Where what belongs to no request counts.</summary>
    public Tally Current => IsMeasuring ? Measured : _other;

    public Tally For(in Slot slot) => (isOpenLoop ? slot.IsMeasured : IsMeasuring) ? Measured : _other;
}
