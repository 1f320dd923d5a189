namespace CoAP;

/// <summary>A text for people, with an optional language (RFC 9290, appendix A).</summary>
/// <param name="Text">The text.</param>
/// <param name="Language">A language tag such as "en" or "fr-CA" (BCP 47). Default: the language of the problem details, otherwise "en".</param>
/// <param name="Direction">The direction of the text; only with a language.</param>
public sealed record ProblemText(string Text, string? Language = null, TextDirection? Direction = null)
{
    /// <summary>The text.</summary>
    public string Text { get; init; } = Text ?? throw new ArgumentNullException(nameof(Text));

    /// <summary>A language tag such as "en" or "fr-CA".</summary>
    /// <exception cref="ArgumentException">The value is not a language tag.</exception>
    public string? Language { get; init; } = Language is null || IsLanguageTag(Language)
        ? Language
        : throw new ArgumentException(
            $"'{Language}' is not a language tag. A tag consists of parts of 1 to 8 letters or digits, joined by '-'.", nameof(Language));

    /// <summary>Creates a text with the language of the problem details.</summary>
    public static implicit operator ProblemText(string text) => new(text);

    /// <summary>Returns the text.</summary>
    public override string ToString() => Text;

    /// <summary>Whether the tag matches "[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*".</summary>
    internal static bool IsLanguageTag(string tag)
    {
        var parts = tag.Split('-');
        return parts[0].All(char.IsAsciiLetter) && parts.All(part => part.Length is >= 1 and <= 8 && part.All(char.IsAsciiLetterOrDigit));
    }
}

/// <summary>The direction of a text (RFC 9290, appendix A).</summary>
public enum TextDirection
{
    /// <summary>The direction follows from the characters.</summary>
    Auto,

    /// <summary>From left to right.</summary>
    LeftToRight,

    /// <summary>From right to left.</summary>
    RightToLeft,
}
