namespace CoAP.Uris;

/// <summary>A URI or relative reference, split into its five components without validation (RFC 3986, section 3 and appendix B).</summary>
internal readonly ref struct UriReference
{
    /// <summary>Splits any text.</summary>
    public UriReference(ReadOnlySpan<char> text)
    {
        FragmentStart = text.IndexOf('#');
        Fragment = HasFragment ? text[FragmentStart..] : default;
        var rest = HasFragment ? text[..FragmentStart] : text;
        var query = rest.IndexOf('?');
        HasQuery = query >= 0;
        QueryStart = HasQuery ? query + 1 : rest.Length;
        Query = rest[QueryStart..];
        rest = HasQuery ? rest[..query] : rest;

        // A colon in the first segment ends a scheme, because a relative path must not have one there (RFC 3986, section 4.2).
        var colon = rest.IndexOfAny(':', '/');
        HasScheme = colon >= 0 && rest[colon] == ':';
        Scheme = HasScheme ? rest[..colon] : default;
        AuthorityStart = PathStart = HasScheme ? colon + 1 : 0;
        rest = rest[PathStart..];

        HasAuthority = rest.StartsWith("//");
        if (HasAuthority)
        {
            AuthorityStart = PathStart + 2;
            var length = rest[2..].IndexOf('/');
            Authority = length < 0 ? rest[2..] : rest.Slice(2, length);
            PathStart = AuthorityStart + Authority.Length;
            rest = rest[(2 + Authority.Length)..];
        }
        Path = rest;
    }

    public bool HasScheme { get; }

    public ReadOnlySpan<char> Scheme { get; }

    public bool HasAuthority { get; }

    public ReadOnlySpan<char> Authority { get; }

    public int AuthorityStart { get; }

    public ReadOnlySpan<char> Path { get; }

    public int PathStart { get; }

    public bool HasQuery { get; }

    public ReadOnlySpan<char> Query { get; }

    public int QueryStart { get; }

    public bool HasFragment => FragmentStart >= 0;

    public int FragmentStart { get; }

    public ReadOnlySpan<char> Fragment { get; }
}
