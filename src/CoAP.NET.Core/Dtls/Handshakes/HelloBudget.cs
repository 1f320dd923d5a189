namespace CoAP.Dtls;

/// <summary>Limits the hellos for which a lane computes cookies, so that a flood of hellos leaves time for the sessions.</summary>
/// <remarks>
/// Without a bound, each hello costs several times as much as a record that is dropped, and the socket overflows. Half of the budget is divided among groups of
/// addresses, so a flood from few addresses does not shut out the others. Forged addresses use up all groups; a client repeats a hello that was dropped.
/// </remarks>
/// <param name="seed">A random number. It keeps an attacker from finding addresses in another peer's group.</param>
internal sealed class HelloBudget(ulong seed)
{
    /// <summary>The number of hellos in one period that any address can use.</summary>
    public const int Common = 256;

    /// <summary>The number of hellos in one period that a group of addresses has for itself.</summary>
    public const int PerGroup = 1;

    private const int Groups = 256;

    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(10);

    private readonly byte[] _takenOf = new byte[Groups];
    private TimeSpan _start;
    private int _taken;

    /// <summary>Takes one hello from the budget of the current period. Returns <see langword="false"/> if it is used up.</summary>
    /// <param name="account">The account of the address that the hello came from.</param>
    /// <param name="now">The time.</param>
    public bool TryTake(in Account account, TimeSpan now)
    {
        if (now - _start >= Period)
        {
            (_start, _taken) = (now, 0);
            Array.Clear(_takenOf);
        }
        ref var ofGroup = ref _takenOf[(int)(Mix(account.Number ^ seed) % Groups)];
        if (ofGroup < PerGroup)
        {
            ofGroup++;
            return true;
        }
        if (_taken >= Common) { return false; }
        _taken++;
        return true;
    }

    // The finalizer of SplitMix64: each bit of the input changes half of the output.
    private static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
}
