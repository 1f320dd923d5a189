using System.Net;
using Microsoft.Extensions.Configuration;

namespace CoAP.Hosting;

/// <summary>Shows the value of a key in an error, unless it could be a secret.</summary>
/// <remarks>
/// Bytes and the texts of other packages are never shown: they are keys and passwords. Of the other kinds, what is longer than a value of
/// that kind is not shown, because a secret may stand at the wrong key.
/// </remarks>
internal static class ShownValue
{
    private const int LongestWord = 20, LongestPath = 1024;
    private const int ShortestKey = 40;         // characters of base64; a private key has more
    private const byte Sequence = 0x30;         // the first byte of keys and certificates in DER (RFC 5280)
    private const string PemStart = "-----BEGIN";

    /// <summary>Returns the verb and the value, such as <c>is "0s"</c>.</summary>
    /// <param name="owner">The record that has the property.</param>
    /// <param name="type">The type of the property.</param>
    /// <param name="value">The text of the configuration.</param>
    public static string Of(SettingsType owner, Type type, string? value) =>
        ShownElement.Of(value ?? "", value is null || IsShown(owner, type, value));

    /// <summary>
    /// Returns the message of a property that has refused a value, without the name of the parameter, and without a value that is not shown.
    /// </summary>
    public static string MessageOf(Exception error, SettingsType owner, Type type, IConfigurationSection section)
    {
        // The path of the key names the setting already.
        var suffix = error is ArgumentException ? error.Message.IndexOf(" (Parameter '", StringComparison.Ordinal) : -1;
        var message = suffix < 0 ? error.Message : error.Message[..suffix];
        return section.Value?.Trim() is { Length: > 0 } value ? ShownElement.Hide(message, value, IsShown(owner, type, value)) : message;
    }

    /// <summary>Whether a text that should be the path of a file is the contents of one.</summary>
    public static bool IsContents(string path) =>
        path.Contains(PemStart, StringComparison.Ordinal) || path.AsSpan().ContainsAny('\r', '\n')
        || path.Length > LongestPath || IsDer(path);

    // A key that was written on one line, without the first and the last line of PEM.
    private static bool IsDer(string text)
    {
        if (text.Length < ShortestKey) { return false; }
        var bytes = new byte[text.Length];
        return Convert.TryFromBase64String(text, bytes, out var length) && length > 0 && bytes[0] == Sequence;
    }

    private static bool IsShown(SettingsType owner, Type type, string value)
    {
        var plain = Nullable.GetUnderlyingType(type) ?? type;
        if (plain == typeof(ReadOnlyMemory<byte>)) { return false; }
        if (plain == typeof(string)) { return KnownSettings.Of(owner.Type) == owner; }
        if (SettingsLists.Reads(plain)) { return true; }      // names, addresses and endpoints
        return value.Length <= (IsAddress(plain) ? ShownElement.Longest : LongestWord);
    }

    private static bool IsAddress(Type type) => type == typeof(IPAddress) || type == typeof(IPEndPoint);
}
