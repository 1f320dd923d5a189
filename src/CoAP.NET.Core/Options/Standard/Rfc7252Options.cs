using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>The rules for the options of RFC 7252, section 5.10.</summary>
internal static class Rfc7252Options
{
    /// <summary>Whether a segment is neither "." nor "..", which are resolved before a path becomes options (RFC 7252, sections 5.10.1 and 5.10.7).</summary>
    public static bool IsPathSegment(ReadOnlySpan<byte> segment) => !segment.SequenceEqual("."u8) && !segment.SequenceEqual(".."u8);

    public static string CheckPathSegment(string segment) => segment is not "." and not ".."
        ? segment
        : throw new ArgumentException($"The path segment is \"{segment}\", which is not allowed (RFC 7252, section 5.10.1).", nameof(segment));
}

/// <summary>Makes the request conditional on an entity tag, or, if empty, on the existence of the resource (RFC 7252, section 5.10.8.1).</summary>
/// <param name="Value">0 to 8 bytes.</param>
public sealed record IfMatch(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(1, "If-Match", 0, 8, value => new IfMatch(value), repeatable: true);

    /// <summary>The If-Match options that a message may have. RFC 7252, section 5.10.8.1, names no number.</summary>
    internal const int MaxRepeated = 64;

    /// <summary>Returns whether the condition holds for a representation: the tags are equal, or this value is empty.</summary>
    /// <param name="current">The tag of the representation that exists now.</param>
    public bool Matches(ETag current)
    {
        ArgumentNullException.ThrowIfNull(current);
        return Value.IsEmpty || Value.Span.SequenceEqual(current.Value.Span);
    }
}

/// <summary>The host of the resource. Default: the destination address of the request (RFC 7252, section 5.10.1).</summary>
/// <param name="Value">1 to 255 bytes in UTF-8.</param>
public sealed record UriHost(string Value) : StringOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = String(3, "Uri-Host", 1, 255, value => new UriHost(value)).Shared();
}

/// <summary>The entity tag, which identifies a representation of the resource (RFC 7252, section 5.10.6).</summary>
/// <param name="Value">1 to 8 bytes.</param>
public sealed record ETag(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(4, "ETag", 1, 8, value => new ETag(value), repeatable: true).Shared();

    /// <summary>The ETag options of a request that are compared. Others are ignored (RFC 7252, section 5.4.5).</summary>
    internal const int MaxCompared = 64;

    /// <summary>Whether a request lists this tag among its first <see cref="MaxCompared"/> ones. Creates no options.</summary>
    internal bool IsListedIn(in OptionSet request)
    {
        var left = MaxCompared;
        for (var reader = request.Read(); left > 0 && reader.Next() && reader.Number <= Number;)
        {
            if (reader.Number != Number) { continue; }
            if (reader.Value.SequenceEqual(Value.Span)) { return true; }
            left--;
        }
        return false;
    }
}

/// <summary>Makes the request conditional on the absence of the resource (RFC 7252, section 5.10.8.2).</summary>
public sealed record IfNoneMatch() : EmptyOption(Declaration), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Empty(5, "If-None-Match", () => new IfNoneMatch());
}

/// <summary>The port of the resource. Default: the port that the request was sent to (RFC 7252, section 5.10.1).</summary>
/// <param name="Value">0 to 65,535.</param>
public sealed record UriPort(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(7, "Uri-Port", 2, value => new UriPort(value));
}

/// <summary>A segment of the path of the created resource (RFC 7252, section 5.10.7).</summary>
/// <param name="Value">0 to 255 bytes in UTF-8, not percent-encoded, neither "." nor "..".</param>
public sealed record LocationPath(string Value) : StringOption(Declaration, Rfc7252Options.CheckPathSegment(Value)), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } =
        String(8, "Location-Path", 0, 255, value => new LocationPath(value), repeatable: true).OnlyIf(Rfc7252Options.IsPathSegment).Shared();
}

/// <summary>A segment of the path of the resource (RFC 7252, section 5.10.1).</summary>
/// <param name="Value">0 to 255 bytes in UTF-8, not percent-encoded, neither "." nor "..".</param>
public sealed record UriPath(string Value) : StringOption(Declaration, Rfc7252Options.CheckPathSegment(Value)), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } =
        String(11, "Uri-Path", 0, 255, value => new UriPath(value), repeatable: true).OnlyIf(Rfc7252Options.IsPathSegment).Shared();
}

/// <summary>The format of the payload (RFC 7252, section 5.10.3).</summary>
/// <param name="Value">A registered id, 0 to 65,535; see <see cref="ContentFormats"/>.</param>
public sealed record ContentFormat(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(12, "Content-Format", 2, value => new ContentFormat(value)).Shared();
}

/// <summary>The time for which a response may be cached, in seconds (RFC 7252, section 5.10.5). Default: 60 s.</summary>
/// <param name="Value">0 to 4,294,967,295 seconds.</param>
public sealed record MaxAge(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <summary>The value for a response without the option, in seconds.</summary>
    public const uint Default = 60;

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(14, "Max-Age", 4, value => new MaxAge(value)).Shared();

    /// <summary>Returns the value of the option in a response, or <see cref="Default"/> if the response does not have it.</summary>
    internal static uint Of(in OptionSet response) => response.Get<MaxAge>()?.Value ?? Default;
}

/// <summary>An argument of the query (RFC 7252, section 5.10.1).</summary>
/// <param name="Value">0 to 255 bytes in UTF-8, not percent-encoded.</param>
public sealed record UriQuery(string Value) : StringOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = String(15, "Uri-Query", 0, 255, value => new UriQuery(value), repeatable: true).Shared();
}

/// <summary>The format that the client accepts (RFC 7252, section 5.10.4).</summary>
/// <param name="Value">A registered id, 0 to 65,535; see <see cref="ContentFormats"/>.</param>
public sealed record Accept(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(17, "Accept", 2, value => new Accept(value)).Shared();
}

/// <summary>An argument of the query of the created resource (RFC 7252, section 5.10.7).</summary>
/// <param name="Value">0 to 255 bytes in UTF-8, not percent-encoded.</param>
public sealed record LocationQuery(string Value) : StringOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = String(20, "Location-Query", 0, 255, value => new LocationQuery(value), repeatable: true);
}

/// <summary>The absolute URI that a forward proxy is to request (RFC 7252, section 5.10.2).</summary>
/// <param name="Value">1 to 1,034 bytes in UTF-8.</param>
public sealed record ProxyUri(string Value) : StringOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = String(35, "Proxy-Uri", 1, 1034, value => new ProxyUri(value));
}

/// <summary>The scheme of the URI that a forward proxy is to request (RFC 7252, section 5.10.2).</summary>
/// <param name="Value">1 to 255 bytes in UTF-8.</param>
public sealed record ProxyScheme(string Value) : StringOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = String(39, "Proxy-Scheme", 1, 255, value => new ProxyScheme(value));
}

/// <summary>The size of the request body, or in a 4.13 the largest accepted size (RFC 7252, section 5.10.9; RFC 7959, section 4).</summary>
/// <param name="Value">The size in bytes.</param>
public sealed record Size1(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(60, "Size1", 4, value => new Size1(value));
}
