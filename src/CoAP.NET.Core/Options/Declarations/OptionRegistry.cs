using System.Diagnostics.CodeAnalysis;

namespace CoAP.Options;

/// <summary>The options that a serializer knows, by number space and number (RFC 7252, section 12.2; RFC 8323, section 11.2).</summary>
/// <remarks>Immutable: <see cref="With"/> returns a new registry. Safe for concurrent use.</remarks>
public sealed class OptionRegistry
{
    private const int SignalCodes = 32;

    private readonly OptionDeclaration[] _declarations;
    private readonly OptionSpace _common;
    private readonly OptionSpace[] _signals = new OptionSpace[SignalCodes];

    private OptionRegistry(OptionDeclaration[] declarations)
    {
        _declarations = declarations;
        _common = new OptionSpace(CoapCode.Empty, declarations);
        for (var detail = 0; detail < SignalCodes; detail++) { _signals[detail] = new OptionSpace(new CoapCode(7, detail), declarations); }
    }

    /// <summary>The registry with all options of the RFCs that this library implements.</summary>
    public static OptionRegistry Default { get; } = new(
    [
        // RFC 7252, section 5.10.
        IfMatch.Declaration, UriHost.Declaration, ETag.Declaration, IfNoneMatch.Declaration, UriPort.Declaration, LocationPath.Declaration,
        UriPath.Declaration, ContentFormat.Declaration, MaxAge.Declaration, UriQuery.Declaration, Accept.Declaration, LocationQuery.Declaration,
        ProxyUri.Declaration, ProxyScheme.Declaration, Size1.Declaration,
        // RFC 7641, 7959, 9177, 8613, 8768, 9668, 9175 and 7967.
        Observe.Declaration, Block1.Declaration, Block2.Declaration, Size2.Declaration, QBlock1.Declaration, QBlock2.Declaration, Oscore.Declaration,
        HopLimit.Declaration, Edhoc.Declaration, Echo.Declaration, NoResponse.Declaration, RequestTag.Declaration,
        // RFC 8323, section 5, and RFC 8974, each in the number space of its signaling code.
        MaxMessageSize.Declaration, BlockWiseTransfer.Declaration, ExtendedTokenLength.Declaration, Custody.Declaration,
        AlternativeAddress.Declaration, HoldOff.Declaration, BadCsmOption.Declaration,
    ]);

    /// <summary>The declarations of all number spaces, without those that were replaced.</summary>
    public IEnumerable<OptionDeclaration> Declarations => _declarations;

    /// <summary>Returns a registry that contains these options as well. An option replaces an earlier one with the same number.</summary>
    /// <param name="factories">Declarations, or factories for options with their own value format.</param>
    public OptionRegistry With(params ReadOnlySpan<IOptionFactory> factories)
    {
        var all = new List<OptionDeclaration>(_declarations);
        foreach (var factory in factories)
        {
            ArgumentNullException.ThrowIfNull(factory, nameof(factories));
            var declaration = OptionDeclaration.Of(factory);
            all.RemoveAll(old => old.Number == declaration.Number && (old.SpaceBits & ~declaration.SpaceBits) == 0);
            all.Add(declaration);
        }
        return new OptionRegistry([.. all]);
    }

    /// <summary>Returns a registry without these numbers of the common number space.</summary>
    internal OptionRegistry Without(IReadOnlyCollection<int> numbers) =>
        new([.. _declarations.Where(declaration => declaration.Spaces.Count > 0 || !numbers.Contains(declaration.Number))]);

    /// <summary>Finds the declaration of an option in the common number space.</summary>
    public bool TryFind(int number, [NotNullWhen(true)] out OptionDeclaration? declaration) => _common.TryFind(number, out declaration);

    /// <summary>Finds the declaration of an option.</summary>
    /// <param name="number">The option number.</param>
    /// <param name="code">The code of the message. Each signaling code has its own number space.</param>
    /// <param name="declaration">The declaration, if there is one.</param>
    public bool TryFind(int number, CoapCode code, [NotNullWhen(true)] out OptionDeclaration? declaration) =>
        Space(code).TryFind(number, out declaration);

    /// <summary>Returns the number space of the options of a message.</summary>
    internal OptionSpace Space(CoapCode code) => code.IsSignal ? _signals[code.Detail] : _common;
}
