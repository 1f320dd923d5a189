
namespace CoAP.Observing;

/// <summary>An observer as its account sees it, with its place among the <see cref="RankedObservers"/> of a representation.</summary>
internal abstract class RankedObserver
{
    /// <summary>The account that is charged for the observation.</summary>
    public required Account Account { get; init; }

    /// <summary>The account of the client. It can have proven its address since the registration.</summary>
    public abstract Account CurrentAccount { get; }

    /// <summary>The group among the observers.</summary>
    public byte Group { get; set; }

    /// <summary>The index in the group.</summary>
    public int Index { get; set; }
}
