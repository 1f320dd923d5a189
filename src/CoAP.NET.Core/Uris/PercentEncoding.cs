using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using System.Text.Unicode;

namespace CoAP.Uris;

/// <summary>Encodes and decodes bytes as "%" and two hexadecimal digits (RFC 3986, section 2.1; RFC 7252, sections 6.4 and 6.5).</summary>
internal static class PercentEncoding
{
    private const string UpperDigits = "0123456789ABCDEF";

    /// <summary>Decodes a component.</summary>
    /// <param name="component">The part of the URI.</param>
    /// <param name="allowed">The characters that are not encoded.</param>
    /// <param name="what">The name of the component, for the error.</param>
    /// <param name="position">The position of the component in the URI, for the error.</param>
    /// <param name="text">The text.</param>
    /// <param name="error">A sentence that says what is wrong.</param>
    public static bool TryDecode(
        ReadOnlySpan<char> component, SearchValues<char> allowed, string what, int position,
        [NotNullWhen(true)] out string? text, [NotNullWhen(false)] out string? error)
    {
        error = null;
        text = component.ContainsAnyExcept(allowed) ? null : component.ToString();
        if (text is not null) { return true; }
        var bytes = new byte[component.Length];
        var length = 0;
        for (var i = 0; i < component.Length; length++)
        {
            if (allowed.Contains(component[i]))
            {
                bytes[length] = (byte)component[i++];
            }
            else if (component[i] != '%')
            {
                return UriSyntax.Fail(DescribeCharacter(component[i..], what, position + i), out error);
            }
            else if (TryReadByte(component[i..], out bytes[length]))
            {
                i += 3;
            }
            else
            {
                var found = component.Slice(i, Math.Min(3, component.Length - i));
                return UriSyntax.Fail(
                    $"The {what} contains \"{found}\" at position {position + i}; two hexadecimal digits must follow \"%\".", out error);
            }
        }
        if (!Utf8.IsValid(bytes.AsSpan(0, length)))
        {
            error = $"The {what} \"{component}\" at position {position} is not UTF-8 after decoding.";
            return false;
        }
        text = Encoding.UTF8.GetString(bytes, 0, length);
        return true;
    }

    /// <summary>Appends text as a component and encodes the UTF-8 bytes of all characters that are not allowed.</summary>
    public static StringBuilder AppendEncoded(this StringBuilder builder, string text, SearchValues<char> allowed)
    {
        if (!text.AsSpan().ContainsAnyExcept(allowed)) { return builder.Append(text); }
        foreach (var part in Encoding.UTF8.GetBytes(text))
        {
            if (allowed.Contains((char)part))
            {
                builder.Append((char)part);
            }
            else
            {
                builder.Append('%').Append(UpperDigits[part >> 4]).Append(UpperDigits[part & 15]);
            }
        }
        return builder;
    }

    /// <summary>Reads "%" and two hexadecimal digits at the start.</summary>
    public static bool TryReadByte(ReadOnlySpan<char> text, out byte value)
    {
        value = 0;
        return text.Length >= 3 && text[0] == '%'
            && byte.TryParse(text.Slice(1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value);
    }

    private static string DescribeCharacter(ReadOnlySpan<char> text, string what, int position)
    {
        if (Rune.DecodeFromUtf16(text, out var rune, out _) != OperationStatus.Done)
        {
            return $"The {what} contains half of a surrogate pair, U+{(int)text[0]:X4}, at position {position}.";
        }
        var shown = Rune.IsControl(rune) ? $"U+{rune.Value:X4}" : $"\"{rune}\"";
        var encoded = new StringBuilder().AppendEncoded(rune.ToString(), UriSyntax.Unreserved);
        return $"The {what} contains {shown} at position {position}; the character must be percent-encoded as {encoded}.";
    }
}
