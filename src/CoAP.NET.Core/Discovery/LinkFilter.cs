namespace CoAP.Discovery;

/// <summary>Selects links by the query of a request, such as "?rt=temperature*" (RFC 6690, section 4.1).</summary>
/// <remarks>
/// Immutable and safe for concurrent use. Each query argument is a condition, and a link must meet all of them; without arguments all links
/// match. "name=value" requires exactly this value, "name=value*" a value that starts with it, and "name" any value. For "rt", "if", "rel",
/// "rev" and "ct", one value of the list has to match, and a link without "rel" has the value "hosts" (RFC 6690, section 2.2). "href" is the
/// target, compared byte by byte. A link without the attribute does not match.
/// </remarks>
public sealed class LinkFilter
{
    private const string Target = "href";

    private readonly Condition[] _conditions;

    /// <summary>Creates a filter from the arguments of a query.</summary>
    /// <param name="queryArguments">The values of Uri-Query options, not percent-encoded.</param>
    public LinkFilter(IEnumerable<string> queryArguments)
    {
        ArgumentNullException.ThrowIfNull(queryArguments);
        _conditions = [.. queryArguments.Where(argument => argument.Length > 0).Select(Condition.Read)];
    }

    /// <summary>Whether the filter has no conditions.</summary>
    public bool IsEmpty => _conditions.Length == 0;

    /// <summary>Returns whether a link meets all conditions.</summary>
    public bool Matches(WebLink link)
    {
        ArgumentNullException.ThrowIfNull(link);
        return Array.TrueForAll(_conditions, condition => condition.IsMetBy(link));
    }

    /// <summary>Returns the links that meet all conditions in their order.</summary>
    public IEnumerable<WebLink> Apply(IEnumerable<WebLink> links) => links.Where(Matches);

    private readonly record struct Condition(string Name, string Value, bool IsPrefix)
    {
        public static Condition Read(string argument)
        {
            var equals = argument.IndexOf('=', StringComparison.Ordinal);
            if (equals < 0) { return new(argument, "", IsPrefix: true); }
            var value = argument[(equals + 1)..];
            var isPrefix = value.EndsWith('*');
            return new(argument[..equals], isPrefix ? value[..^1] : value, isPrefix);
        }

        public bool IsMetBy(WebLink link)
        {
            if (Name == Target) { return Fits(link.Target); }
            if (Name == "rel" && !link.Has(Name)) { return Fits(link.Relations[0]); }
            foreach (var attribute in link.Attributes)
            {
                if (attribute.Name == Name && FitsAny(attribute.Value ?? "")) { return true; }
            }
            return false;
        }

        private bool FitsAny(ReadOnlySpan<char> value)
        {
            if (Fits(value)) { return true; }
            if (!LinkSyntax.IsList(Name)) { return false; }
            foreach (var part in value.Split(' '))
            {
                if (!value[part].IsEmpty && Fits(value[part])) { return true; }
            }
            return false;
        }

        private bool Fits(ReadOnlySpan<char> value) => IsPrefix ? value.StartsWith(Value) : value.SequenceEqual(Value);
    }
}
