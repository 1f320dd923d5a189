using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;

namespace CoAP.Options;

/// <summary>The options that a serializer understands, keyed by number space and number (RFC 7252, section 12.2; RFC 8323, section 11.2).</summary>
/// <remarks>Immutable: <see cref="With"/> answers a new registry. Safe for concurrent use.</remarks>
public sealed class OptionRegistry
{
    private const int DirectNumbers = 320;

    private readonly OptionDeclaration?[] _direct = new OptionDeclaration?[DirectNumbers];
    private readonly FrozenDictionary<(CoapCode Space, int Number), OptionDeclaration> _all;

    private OptionRegistry(Dictionary<(CoapCode Space, int Number), OptionDeclaration> all)
    {
        _all = all.ToFrozenDictionary();
        foreach (var ((space, number), declaration) in all)
        {
            if (!space.IsEmpty) { continue; }
            if (number < DirectNumbers) { _direct[number] = declaration; }
            KnownBits |= number < 63 ? OptionNumber.SeenBit(number) : 0;
        }
    }

    /// <summary>Every option that the RFCs this library implements have registered.</summary>
    public static OptionRegistry Default { get; } = new OptionRegistry([])
        .With([.. Rfc7252Options.All, .. Rfc7641Options.All, .. Rfc7959Options.All, .. Rfc8323Options.All, .. LaterOptions.All]);

    /// <summary>The declarations of all number spaces.</summary>
    public IEnumerable<OptionDeclaration> Declarations => _all.Values.Distinct();

    internal ulong KnownBits { get; }

    /// <summary>A registry with these declarations as well; one with a number that is already there replaces it.</summary>
    public OptionRegistry With(params ReadOnlySpan<OptionDeclaration> declarations)
    {
        var all = new Dictionary<(CoapCode, int), OptionDeclaration>(_all);
        foreach (var declaration in declarations)
        {
            foreach (var space in declaration.Spaces is { Count: > 0 } spaces ? spaces : [CoapCode.Empty])
            {
                all[(space, declaration.Number)] = declaration;
            }
        }
        return new OptionRegistry(all);
    }

    /// <summary>Finds the declaration of an option in the common number space.</summary>
    public bool TryFind(int number, [NotNullWhen(true)] out OptionDeclaration? declaration) => TryFind(number, CoapCode.Empty, out declaration);

    /// <summary>Finds the declaration of an option.</summary>
    /// <param name="number">The option number.</param>
    /// <param name="code">The code of the message: signaling codes have number spaces of their own.</param>
    /// <param name="declaration">The declaration, where there is one.</param>
    public bool TryFind(int number, CoapCode code, [NotNullWhen(true)] out OptionDeclaration? declaration)
    {
        if (code.IsSignal) { return _all.TryGetValue((code, number), out declaration); }
        if ((uint)number < DirectNumbers) { return (declaration = _direct[number]) is not null; }
        return _all.TryGetValue((CoapCode.Empty, number), out declaration);
    }
}
