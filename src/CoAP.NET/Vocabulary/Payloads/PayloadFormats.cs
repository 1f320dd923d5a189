using System.Diagnostics.CodeAnalysis;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>The payload formats of an endpoint, the preferred ones first.</summary>
/// <remarks>
/// <para>Each set begins with four formats: text/plain for <see cref="string"/>, application/octet-stream for <c>byte[]</c> and
/// <c>ReadOnlyMemory&lt;byte&gt;</c>, application/link-format for <c>IReadOnlyList&lt;WebLink&gt;</c>, and problem details (RFC 9290) for
/// <see cref="ProblemDetails"/>.</para>
/// <para>A client asks for the first format that handles the type (Accept) and reads any of them. A server answers in the format that the client accepts,
/// or in the first one if the client accepts any. Immutable. Safe for concurrent use.</para>
/// </remarks>
public sealed class PayloadFormats
{
    private readonly IPayloadFormat[] _formats;

    private PayloadFormats(IPayloadFormat[] formats) => _formats = formats;

    /// <summary>Text, bytes, links and problem details.</summary>
    public static PayloadFormats Default { get; } = new([new TextFormat(), new BytesFormat(), new LinksFormat(), new ProblemsFormat()]);

    /// <summary>Creates a set of the four default formats and these, the preferred ones first.</summary>
    /// <exception cref="ArgumentException">A format is in the set twice, an identifier is greater than 65,535, or a name is empty.</exception>
    public static PayloadFormats Of(params ReadOnlySpan<IPayloadFormat> formats) => Default.With(formats);

    /// <summary>Returns a set with these formats after those of this set.</summary>
    /// <inheritdoc cref="Of" path="/exception"/>
    public PayloadFormats With(params ReadOnlySpan<IPayloadFormat> formats)
    {
        var all = new List<IPayloadFormat>(_formats);
        foreach (var format in formats)
        {
            if (format is null) { throw new ArgumentNullException(nameof(formats), "A format is null; each element requires a value."); }
            Check(format, all);
            all.Add(format);
        }
        return new PayloadFormats([.. all]);
    }

    /// <summary>Finds the preferred format for a type.</summary>
    public bool TryFind(Type type, [NotNullWhen(true)] out IPayloadFormat? format)
    {
        ArgumentNullException.ThrowIfNull(type);
        foreach (var one in _formats)
        {
            if (one.Handles(type))
            {
                format = one;
                return true;
            }
        }
        format = null;
        return false;
    }

    /// <summary>Finds the format with an identifier for a type.</summary>
    /// <param name="type">The type of the values.</param>
    /// <param name="contentFormat">The value of the option Content-Format or Accept.</param>
    /// <param name="format">The format.</param>
    public bool TryFind(Type type, uint contentFormat, [NotNullWhen(true)] out IPayloadFormat? format)
    {
        ArgumentNullException.ThrowIfNull(type);
        foreach (var one in _formats)
        {
            if (one.ContentFormat == contentFormat && one.Handles(type))
            {
                format = one;
                return true;
            }
        }
        format = null;
        return false;
    }

    /// <summary>Returns the names of the formats, for debuggers.</summary>
    public override string ToString() => string.Join(", ", _formats.Select(Describe));

    /// <summary>Returns the names and identifiers of the formats that handle a type, for error messages.</summary>
    internal string NamesFor(Type type)
    {
        var names = string.Join(", ", _formats.Where(format => format.Handles(type)).Select(Describe));
        return names.Length > 0 ? names : "none";
    }

    /// <summary>Finds the preferred format for a type, or throws.</summary>
    /// <exception cref="NotSupportedException">No format handles the type.</exception>
    internal IPayloadFormat For(Type type) => TryFind(type, out var format) ? format : throw NoFormat(type);

    /// <summary>Selects the format with an identifier for a type, or the preferred one if there is no identifier.</summary>
    /// <returns><see langword="null"/> if formats handle the type, but none with this identifier.</returns>
    /// <exception cref="NotSupportedException">No format handles the type.</exception>
    internal IPayloadFormat? Select(Type type, uint? contentFormat)
    {
        var preferred = For(type);
        if (contentFormat is not { } named || named == preferred.ContentFormat) { return preferred; }
        return TryFind(type, named, out var format) ? format : null;
    }

    /// <summary>Returns whether a format is the only one of the set that handles a type.</summary>
    internal bool IsOnly(IPayloadFormat format, Type type) => Array.TrueForAll(_formats, one => one == format || !one.Handles(type));

    /// <summary>Creates the exception for a type that no format handles.</summary>
    internal NotSupportedException NoFormat(Type type) => new(
        $"No payload format handles {TypeAdvice.NameOf(type)}. The formats of this endpoint are {this}. {TypeAdvice.For(type, this)}");

    private static string Describe(IPayloadFormat format) => $"{format.Name} ({format.ContentFormat})";

    // Two formats may share an identifier: several Protobuf messages, or a user's format for one type in JSON.
    private static void Check(IPayloadFormat format, List<IPayloadFormat> others)
    {
        if (format.ContentFormat > ushort.MaxValue)
        {
            throw new ArgumentException($"Format '{format.Name}' has the identifier {format.ContentFormat}; at most 65,535 is allowed (RFC 7252, section 12.3).");
        }
        if (string.IsNullOrEmpty(format.Name)) { throw new ArgumentException($"Format {format.ContentFormat} ({format.GetType()}) has no name."); }
        if (others.Contains(format)) { throw new ArgumentException($"Format '{format.Name}' is in the set twice."); }
    }
}
