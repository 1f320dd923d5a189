using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Unicode;

namespace CoAP.Formats;

/// <summary>Validates and decodes texts.</summary>
internal static class MessagePackText
{
    private const int Short = 128;

    /// <summary>Decodes UTF-8. Returns <see langword="false"/> if it is not valid.</summary>
    public static bool TryRead(ReadOnlySpan<byte> text, [NotNullWhen(true)] out string? value)
    {
        if (text.Length > Short)
        {
            value = Utf8.IsValid(text) ? Encoding.UTF8.GetString(text) : null;
            return value is not null;
        }
        Span<char> characters = stackalloc char[Short];
        var isValid = Utf8.ToUtf16(text, characters, out _, out var length, replaceInvalidSequences: false) is OperationStatus.Done;
        value = isValid ? new string(characters[..length]) : null;
        return isValid;
    }
}
