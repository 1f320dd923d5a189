namespace CoAP.Formats;

/// <summary>
/// Checks the start tags of a document before a parser sees them: parsers read a whole tag into tables of their own before they compare it
/// with a limit.
/// </summary>
/// <remarks>Leaves what is malformed to the parser. Costs one fast pass over the bytes.</remarks>
internal static class XmlTags
{
    /// <summary>Checks all start tags.</summary>
    /// <param name="xml">The document in UTF-8.</param>
    /// <param name="mostBytes">The largest number of bytes in one tag.</param>
    /// <param name="mostAttributes">The largest number of attributes in one tag.</param>
    /// <returns>The number of tags, comments, sections and instructions. No byte of one is searched again for the next.</returns>
    /// <exception cref="CoapPayloadException">A tag is larger, or has more attributes.</exception>
    public static int Check(ReadOnlySpan<byte> xml, int mostBytes, int mostAttributes)
    {
        var found = 0;
        for (var at = 0; xml[at..].IndexOf((byte)'<') is >= 0 and var next; found++)
        {
            at += next;
            var rest = xml[at..];
            if (rest.StartsWith("<!--"u8)) { at += LengthUntil(rest, "-->"u8, from: 4); }
            else if (rest.StartsWith("<![CDATA["u8)) { at += LengthUntil(rest, "]]>"u8, from: 9); }
            else if (rest.StartsWith("<?"u8)) { at += LengthUntil(rest, "?>"u8, from: 2); }
            else { at += LengthOfTag(rest, at, mostBytes, mostAttributes); }
        }
        return found;
    }

    private static int LengthUntil(ReadOnlySpan<byte> rest, ReadOnlySpan<byte> end, int from)
    {
        var length = rest[from..].IndexOf(end);
        return length < 0 ? rest.Length : from + length + end.Length;
    }

    // A well-formed tag has one equals sign outside of quotes for each attribute. Without an end mark, all the rest is one unfinished tag:
    // its end must not be searched again from each "<" in it.
    private static int LengthOfTag(ReadOnlySpan<byte> rest, int offset, int mostBytes, int mostAttributes)
    {
        var (at, attributes) = (1, 0);
        while (rest[at..].IndexOfAny("\"'=>"u8) is >= 0 and var next)
        {
            at += next + 1;
            var mark = rest[at - 1];
            if (mark == '>') { break; }
            if (mark == '=')
            {
                if (++attributes > mostAttributes) { throw Error("attributes", mostAttributes, offset); }
                continue;
            }
            var quote = rest[at..].IndexOf(mark);
            at = quote < 0 ? rest.Length : at + quote + 1;
            if (at > mostBytes) { throw Error("bytes", mostBytes, offset); }
        }
        var length = rest[at - 1] == '>' ? at : rest.Length;
        return length <= mostBytes ? length : throw Error("bytes", mostBytes, offset);
    }

    private static CoapPayloadException Error(string what, int most, int offset) =>
        new($"A start tag has more than {most} {what}; at most {most} are allowed (at byte {offset}).", offset);
}
