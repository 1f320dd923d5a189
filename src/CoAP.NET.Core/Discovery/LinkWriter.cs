using System.Text;

namespace CoAP.Discovery;

/// <summary>Writes links (RFC 6690, section 2).</summary>
internal static class LinkWriter
{
    public static StringBuilder Append(StringBuilder builder, WebLink link)
    {
        builder.Append('<').Append(link.Target).Append('>');
        foreach (var attribute in link.Attributes) { Append(builder.Append(';'), attribute); }
        return builder;
    }

    public static StringBuilder Append(StringBuilder builder, LinkAttribute attribute)
    {
        builder.Append(attribute.Name);
        if (attribute.Value is not { } value) { return builder; }
        builder.Append('=');
        if (IsBare(attribute.Name, value)) { return builder.Append(value); }
        builder.Append('"');
        foreach (var character in value)
        {
            if (character is '"' or '\\') { builder.Append('\\'); }
            builder.Append(character);
        }
        return builder.Append('"');
    }

    // Extended values and languages have no quotes, and neither have numbers unless the grammar requires a string or a relation type.
    private static bool IsBare(string name, string value)
    {
        // A reader may take "<" for the start of the next link.
        if (value.Length == 0 || value.Contains('<', StringComparison.Ordinal) || value.AsSpan().ContainsAnyExcept(LinkSyntax.Token))
        {
            return false;
        }
        if (name.EndsWith('*') || name == "hreflang") { return true; }
        return !value.AsSpan().ContainsAnyExceptInRange('0', '9') && name is not ("title" or "anchor" or "rt" or "if" or "rel" or "rev");
    }
}
