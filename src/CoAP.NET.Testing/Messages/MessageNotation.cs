using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace CoAP.Testing;

/// <summary>
/// Messages as the figures of RFC 7252 write them: <c>CON [0xbc90] GET /temperature (Token 0x71)</c>,
/// <c>ACK [0xbc90] 2.05 Content (Token 0x71) {Max-Age: 60} '22.5 C'</c>, <c>RST [X]</c>. A name in the place of a number is a variable.
/// </summary>
internal static partial class MessageNotation
{
    private const int UriPath = 11, UriQuery = 15;
    private const int FirstSignal = 7 << 5;

    private const string Parts =
        """^(?<type>CON|NON|ACK|RST) \[(MID=)?(?<id>\w+)\]( (?<code>[A-Zi]+|\d\.\d\d)( (?<name>[A-Z][\w -]*\w))?)?( (?<path>/\S*))?( \(Token (?<token>\w+)\))?( \{(?<options>[^}]*)\})?( '(?<payload>.*)')?""";

    private static readonly string[] Types = ["CON", "NON", "ACK", "RST"];
    private static readonly string[] Methods = ["GET", "POST", "PUT", "DELETE", "FETCH", "PATCH", "iPATCH"];

    /// <summary>The message that a text describes.</summary>
    /// <param name="text">The description.</param>
    /// <param name="variables">Their values; a variable without one gets that of <paramref name="actual"/>.</param>
    /// <param name="actual">The message that the text is to describe, where it is an expectation.</param>
    public static WireMessage Parse(string text, Dictionary<string, string> variables, WireMessage? actual = null)
    {
        var parts = Form().Match(text);
        if (!parts.Success) { throw Unreadable(text); }
        var id = Resolve(parts.Groups["id"].Value, variables, actual is null ? null : Number(actual.Id));
        var token = parts.Groups["token"] is { Success: true } one ? Resolve(one.Value, variables, actual is null ? null : Opaque(actual.Token)) : "0x";
        var payload = parts.Groups["payload"].Value;
        return new(
            Array.IndexOf(Types, parts.Groups["type"].Value),
            CodeOf(parts.Groups["code"].Value, parts.Groups["name"].Value),
            IdOf(id),
            BytesOf("The token", token),
            [.. PathOptions(parts.Groups["path"].Value).Concat(ListedOptions(parts.Groups["options"].Value, variables, actual)).OrderBy(option => option.Number)],
            payload == "*" && actual is not null ? actual.Payload : Encoding.UTF8.GetBytes(payload));
    }

    /// <summary>The same message gives the same text, whatever it was written like.</summary>
    public static string Describe(WireMessage message) => $"{Types[message.Type]} [{Number(message.Id)}]{ContentOf(message)}";

    /// <summary>Describes a message of a connection, which has neither type nor message ID.</summary>
    public static string DescribeFrame(WireMessage message) => ContentOf(message) is { Length: > 0 } content ? content[1..] : "0.00";

    private static string ContentOf(WireMessage message)
    {
        var text = new StringBuilder();
        if (message.Code is > 0 and < 8) { text.Append(' ').Append(Methods[message.Code - 1]); }
        else if (message.Code > 0) { text.Append(CultureInfo.InvariantCulture, $" {message.Code >> 5}.{message.Code & 31:00}"); }
        if (message.Code < FirstSignal && PathOf(message) is { Length: > 0 } path) { text.Append(' ').Append(path); }
        if (message.Token.Length > 0) { text.Append(CultureInfo.InvariantCulture, $" (Token {Opaque(message.Token)})"); }
        // The options of a signal have numbers of their own (RFC 8323, section 5.2).
        WireOption[] others = [.. message.Options.Where(option => message.Code >= FirstSignal || option.Number is not (UriPath or UriQuery))];
        Func<WireOption, string> describe = message.Code >= FirstSignal ? OptionNotation.DescribeByNumber : OptionNotation.Describe;
        if (others.Length > 0) { text.Append(CultureInfo.InvariantCulture, $" {{{string.Join(", ", others.Select(describe))}}}"); }
        if (message.Payload.Length > 0) { text.Append(CultureInfo.InvariantCulture, $" '{Encoding.Latin1.GetString(message.Payload)}'"); }
        return text.ToString();
    }

    private static string PathOf(WireMessage message)
    {
        var path = string.Concat(message.Options.Where(static option => option.Number == UriPath).Select(static option => "/" + Encoding.UTF8.GetString(option.Value)));
        var query = string.Join('&', message.Options.Where(static option => option.Number == UriQuery).Select(static option => Encoding.UTF8.GetString(option.Value)));
        return query.Length == 0 ? path : $"{(path.Length == 0 ? "/" : path)}?{query}";
    }

    private static string Resolve(string value, Dictionary<string, string> variables, string? actual)
    {
        if (value.StartsWith("0x", StringComparison.Ordinal)) { return value; }
        if (variables.TryGetValue(value, out var known)) { return known; }
        return variables[value] = actual ?? throw new InvalidOperationException(
            $"The variable '{value}' has no value. The first message that you expect with it sets it. A fixed value is written in hexadecimal digits, such as 0x7d34.");
    }

    private static int CodeOf(string code, string name)
    {
        if (code.Length == 0) { return 0; }
        if (Array.IndexOf(Methods, code) is var method and >= 0) { return method + 1; }
        if (!char.IsAsciiDigit(code[0]))
        {
            throw new FormatException($"The code is '{code}'. Write a method, which is {string.Join(", ", Methods)}, or a response code, such as 2.05.");
        }
        var (codeClass, detail) = (code[0] - '0', int.Parse(code.AsSpan(2), CultureInfo.InvariantCulture));
        if (codeClass > 7 || detail > 31) { throw new FormatException($"The code is {code}. Codes are 0.00 to 7.31 (RFC 7252, section 3)."); }
        var value = (codeClass << 5) | detail;
        var named = name.Length == 0 ? null : typeof(ResponseCode).GetProperty(string.Concat(name.Split(' ', '-')))?.GetValue(null);
        return name.Length == 0 || named is CoapCode known && known.Value == value
            ? value
            : throw new FormatException($"The code is {code} with the name '{name}', which belongs to another code or to none. Correct one of the two, or leave the name out.");
    }

    private static IEnumerable<WireOption> PathOptions(string uri)
    {
        var halves = uri.Split('?');
        var segments = halves[0].Split('/', StringSplitOptions.RemoveEmptyEntries).Select(segment => OptionNotation.Parse("Uri-Path", segment));
        return segments.Concat(halves.Skip(1).SelectMany(query => query.Split('&')).Select(argument => OptionNotation.Parse("Uri-Query", argument)));
    }

    private static IEnumerable<WireOption> ListedOptions(string list, Dictionary<string, string> variables, WireMessage? actual)
    {
        foreach (var pair in list.Split(", ", StringSplitOptions.RemoveEmptyEntries).Select(option => option.Split(": ")))
        {
            var (name, value) = (pair[0], pair.ElementAtOrDefault(1) ?? "");
            if (OptionNotation.IsVariable(name, value))
            {
                var found = actual?.Options.FirstOrDefault(option => option.Number == OptionNotation.NumberOf(name));
                value = Resolve(value, variables, found is null ? null : Opaque(found.Value));
            }
            yield return OptionNotation.Parse(name, value);
        }
    }

    private static int IdOf(string text) => int.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var id) && id is >= 0 and <= ushort.MaxValue
        ? id
        : throw new FormatException($"The message ID is '{text}'. Write 0x0000 to 0xffff, or a name for any value.");

    /// <summary>Reads bytes that are written in hexadecimal digits.</summary>
    /// <exception cref="FormatException">They are not. The message begins with the name of the value.</exception>
    public static byte[] BytesOf(string what, string text)
    {
        try
        {
            if (text.StartsWith("0x", StringComparison.Ordinal)) { return Convert.FromHexString(text.AsSpan(2)); }
        }
        catch (FormatException) { }
        throw new FormatException($"{what} is '{text}'. Write 0x and two hexadecimal digits for each byte, such as 0x0a1b.");
    }

    private static FormatException Unreadable(string text)
    {
        var type = text.Split(' ')[0];
        if (!Types.Contains(type)) { return new($"The message '{text}' begins with '{type}'. Write the type first: {string.Join(", ", Types)}."); }
        if (Start().Match(text) is not { Success: true } start)
        {
            return new($"The message '{text}' has no message ID after the type. Write it in brackets after one space, such as {type} [0x7d34], or a name for any value, such as {type} [M].");
        }
        return new(
            $"The message '{text}' has '{text[start.Length..].Trim()}' in a place where it cannot be read. "
            + "Write the parts that it has in this order, with one space between them: CON [0x7d34] CODE Name /path (Token 0x20) {Option: value, Option: value} 'payload'.");
    }

    private static string Number(int id) => $"0x{id:x4}";

    private static string Opaque(byte[] bytes) => $"0x{Convert.ToHexStringLower(bytes)}";

    [GeneratedRegex(Parts + "$", RegexOptions.Singleline)]
    private static partial Regex Form();

    [GeneratedRegex(Parts, RegexOptions.Singleline)]
    private static partial Regex Start();
}
