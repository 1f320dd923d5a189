using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;

namespace CoAP.Hosting.Binding;

/// <summary>Parses the texts of arguments in the invariant culture. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ArgumentParsers
{
    /// <summary>Accepts any text.</summary>
    public static bool Text(string text, [MaybeNullWhen(false)] out string value)
    {
        value = text;
        return true;
    }

    /// <summary>Parses "true" and "false". An empty text, as that of the query argument "?verbose", is <see langword="true"/>.</summary>
    public static bool Flag(string text, out bool value)
    {
        value = true;
        return text.Length == 0 || bool.TryParse(text, out value);
    }

    /// <summary>Parses a value of a type that can parse itself.</summary>
    public static bool Parsable<T>(string text, [MaybeNullWhen(false)] out T value)
        where T : IParsable<T> => T.TryParse(text, CultureInfo.InvariantCulture, out value);

    /// <summary>Parses a number with a fraction. "1,5" is no number: by default, .NET takes the comma for a separator of thousands.</summary>
    public static bool Fraction<T>(string text, [MaybeNullWhen(false)] out T value)
        where T : INumberBase<T> => T.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value);

    /// <summary>Parses the name of a value of an enumeration, in upper or lower case. Numbers and lists of names are not accepted.</summary>
    public static bool Named<T>(string text, out T value)
        where T : struct, Enum
    {
        value = default;
        return text.Length > 0 && !char.IsDigit(text[0]) && text.All(static letter => char.IsLetterOrDigit(letter) || letter == '_')
            && Enum.TryParse(text, ignoreCase: true, out value);
    }
}
