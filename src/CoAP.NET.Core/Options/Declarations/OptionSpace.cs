using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;

namespace CoAP.Options;

/// <summary>The declarations of one number space: the common one, or that of one signaling code (RFC 8323, section 5.2).</summary>
/// <remarks>Immutable. Safe for concurrent use.</remarks>
internal sealed class OptionSpace
{
    private const int DirectNumbers = 512;

    private readonly OptionDeclaration?[] _direct;
    private readonly FrozenDictionary<int, OptionDeclaration> _others;

    /// <param name="code">A signaling code, or any other code for the common space.</param>
    /// <param name="declarations">The declarations of all spaces; later ones replace earlier ones.</param>
    public OptionSpace(CoapCode code, IEnumerable<OptionDeclaration> declarations)
    {
        Bit = BitOf(code);
        var all = new Dictionary<int, OptionDeclaration>();
        foreach (var declaration in declarations.Where(one => (one.SpaceBits & Bit) != 0)) { all[declaration.Number] = declaration; }
        _direct = new OptionDeclaration?[all.Keys.Where(number => number < DirectNumbers).DefaultIfEmpty(-1).Max() + 1];
        foreach (var (number, declaration) in all.Where(pair => pair.Key < DirectNumbers))
        {
            _direct[number] = declaration;
            KnownBits |= number < OptionNumber.SharedBit ? OptionNumber.SeenBit(number) : 0;
        }
        _others = all.Where(pair => pair.Key >= DirectNumbers).ToFrozenDictionary();
    }

    /// <summary>The bit of this space: bit 63 is the common space, bits 0 to 31 are 7.00 to 7.31.</summary>
    public ulong Bit { get; }

    /// <summary>A bit for each declared number below 63.</summary>
    public ulong KnownBits { get; }

    /// <summary>Returns the bit of the space that a code uses.</summary>
    public static ulong BitOf(CoapCode code) => code.IsSignal ? 1UL << code.Detail : 1UL << 63;

    public bool TryFind(int number, [NotNullWhen(true)] out OptionDeclaration? declaration)
    {
        var direct = _direct;
        if ((uint)number < (uint)direct.Length) { return (declaration = direct[number]) is not null; }
        return _others.TryGetValue(number, out declaration);
    }
}
