using System.Buffers;

namespace CoAP.Options;

/// <summary>Reads and shortens the lists of members of "tracestate" (W3C Trace Context, level 1, section 3.3.1).</summary>
internal static class TraceStateMembers
{
    private const int MaxLength = 512;
    private const int MaxCount = 32;
    private const int LongMember = 128;
    private const int MaxKeyLength = 256;
    private const int MaxTenantLength = 241;
    private const int MaxSystemLength = 14;
    private const int MaxValueLength = 256;
    private const string Letters = "abcdefghijklmnopqrstuvwxyz";
    private const string Digits = "0123456789";

    private static readonly SearchValues<char> KeyCharacters = SearchValues.Create(Letters + Digits + "_-*/");

    /// <summary>Returns the members of a list in normal form, without empty members and the white space around commas.</summary>
    /// <returns><see langword="null"/> if the list is malformed, contains a key twice, has more than 32 members or has none.</returns>
    public static string? Normalize(string? list) => Read(list) is { Count: > 0 and <= MaxCount } members ? string.Join(',', members) : null;

    /// <summary>Returns the members of a list in normal form. Removes members if there are more than 32 of them or more than 512 characters.</summary>
    /// <remarks>Members of more than 128 characters are removed first, and then the last ones (section 3.3.1.5).</remarks>
    /// <returns><see langword="null"/> if the list is malformed, contains a key twice or has no members.</returns>
    public static string? Shorten(string? list)
    {
        if (Read(list) is not { Count: > 0 } members) { return null; }
        var length = members.Sum(static member => member.Length + 1) - 1;
        while (members.Count > MaxCount || length > MaxLength)
        {
            var place = members.FindLastIndex(static member => member.Length > LongMember);
            if (place < 0) { place = members.Count - 1; }
            length -= members[place].Length + 1;
            members.RemoveAt(place);
        }
        return members.Count == 0 ? null : string.Join(',', members);
    }

    private static List<string>? Read(string? list)
    {
        var members = new List<string>();
        var keys = new HashSet<string>(StringComparer.Ordinal);
        foreach (var part in (list ?? "").Split(','))
        {
            var member = part.Trim(' ', '\t');
            if (member.Length == 0) { continue; }
            var end = member.IndexOf('=', StringComparison.Ordinal);
            if (end < 0 || !IsKey(member.AsSpan(0, end)) || !IsValue(member.AsSpan(end + 1)) || !keys.Add(member[..end])) { return null; }
            members.Add(member);
        }
        return members;
    }

    private static bool IsKey(ReadOnlySpan<char> key)
    {
        var at = key.IndexOf('@');
        if (at < 0) { return key.Length <= MaxKeyLength && IsName(key, mayBeginWithDigit: false); }
        var tenant = key[..at];
        var system = key[(at + 1)..];
        return tenant.Length <= MaxTenantLength && system.Length <= MaxSystemLength
            && IsName(tenant, mayBeginWithDigit: true) && IsName(system, mayBeginWithDigit: false);
    }

    private static bool IsName(ReadOnlySpan<char> name, bool mayBeginWithDigit) =>
        !name.IsEmpty
        && (char.IsAsciiLetterLower(name[0]) || (mayBeginWithDigit && char.IsAsciiDigit(name[0])))
        && !name.ContainsAnyExcept(KeyCharacters);

    // A space at the end belongs to the white space around the comma, so it is gone already.
    private static bool IsValue(ReadOnlySpan<char> value) =>
        value.Length is > 0 and <= MaxValueLength && !value.ContainsAnyExceptInRange(' ', '~') && !value.Contains('=');
}
