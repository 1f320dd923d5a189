using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace CoAP.Resources;

/// <summary>Returns <see langword="true"/> if a constraint allows the value of a placeholder, which is UTF-8.</summary>
internal delegate bool SegmentTest(ReadOnlySpan<byte> segment);

/// <summary>A constraint of a placeholder, such as "int" or "range(1,9)". Independent of the culture. One pass over the segment.</summary>
/// <param name="text">The constraint without spaces.</param>
/// <param name="rank">The place among other constraints. The lowest comes first.</param>
/// <param name="allows">The test.</param>
internal sealed class RouteConstraint(string text, int rank, SegmentTest allows)
{
    private const int MaxLength = 255;      // the bytes of a Uri-Path option (RFC 7252, section 5.10)

    // The order is the precedence of templates that differ only in constraints: the narrower constraint comes first.
    private static readonly (string Name, string Usage, Func<long[], SegmentTest?> Make)[] Known =
    [
        ("range", "range(1,9)", static numbers => numbers is [var least, var most] && least <= most ? IsInteger(least, most) : null),
        ("min", "min(1)", static numbers => numbers is [var least] ? IsInteger(least, long.MaxValue) : null),
        ("max", "max(9)", static numbers => numbers is [var most] ? IsInteger(long.MinValue, most) : null),
        ("bool", "bool", static numbers => numbers is [] ? IsBool : null),
        ("guid", "guid", static numbers => numbers is [] ? IsGuid : null),
        ("uint", "uint", static numbers => numbers is [] ? IsInteger(uint.MinValue, uint.MaxValue) : null),
        ("int", "int", static numbers => numbers is [] ? IsInteger(int.MinValue, int.MaxValue) : null),
        ("long", "long", static numbers => numbers is [] ? IsInteger(long.MinValue, long.MaxValue) : null),
        ("double", "double", static numbers => numbers is [] ? IsDouble : null),
        ("alpha", "alpha", static numbers => numbers is [] ? IsAlpha : null),
        ("length", "length(3) or length(1,8)", HasLength),
    ];

    /// <summary>The constraint without spaces. Equal texts mean equal constraints.</summary>
    public string Text { get; } = text;

    /// <summary>The place among other constraints. The lowest comes first.</summary>
    public int Rank { get; } = rank;

    /// <summary>Returns <see langword="true"/> if the constraint allows a segment.</summary>
    public bool Allows(ReadOnlySpan<byte> segment) => allows(segment);

    /// <summary>Parses a constraint.</summary>
    /// <exception cref="ArgumentException">The constraint is unknown or has wrong arguments. The message shows the right form.</exception>
    public static RouteConstraint Parse(string text, string placeholder, string template)
    {
        var open = text.IndexOf('(', StringComparison.Ordinal);
        var name = (open < 0 ? text : text[..open]).Trim();
        var rank = Array.FindIndex(Known, known => known.Name == name);
        if (rank < 0)
        {
            throw RouteSegment.Invalid(template, $"'{name}' of placeholder '{placeholder}' is not a constraint; the constraints are {string.Join(", ", Known.Select(known => known.Usage))}");
        }
        var (_, usage, make) = Known[rank];
        if (!TryParseNumbers(open < 0 ? null : text[open..].TrimEnd(), out var numbers) || make(numbers) is not { } test)
        {
            throw RouteSegment.Invalid(template, $"constraint '{text}' of placeholder '{placeholder}' is malformed; write {usage}{RuleOf(name)}");
        }
        return new(numbers.Length == 0 ? name : string.Create(CultureInfo.InvariantCulture, $"{name}({string.Join(',', numbers)})"), rank, test);
    }

    private static string RuleOf(string name) => name switch
    {
        "range" => ", with integers of 64 bits, the lowest first",
        "min" or "max" => ", with an integer of 64 bits",
        "length" => $", with lengths from 1 to {MaxLength} characters, the shortest first",
        _ => ", without arguments",
    };

    // No parentheses are no arguments. Empty parentheses are malformed.
    private static bool TryParseNumbers(string? arguments, out long[] numbers)
    {
        numbers = [];
        if (arguments is null) { return true; }
        if (arguments is not ['(', .. var inner, ')']) { return false; }
        var texts = inner.Split(',');
        numbers = new long[texts.Length];
        for (var i = 0; i < texts.Length; i++)
        {
            if (!long.TryParse(texts[i].Trim(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out numbers[i])) { return false; }
        }
        return true;
    }

    // A leading plus sign would be a second name for the same number.
    private static SegmentTest IsInteger(long least, long most) => segment => segment is not [(byte)'+', ..]
        && long.TryParse(segment, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) && number >= least && number <= most;

    private static bool IsBool(ReadOnlySpan<byte> segment) => Ascii.EqualsIgnoreCase(segment, "true"u8) || Ascii.EqualsIgnoreCase(segment, "false"u8);

    private static bool IsGuid(ReadOnlySpan<byte> segment) =>
        (segment.Length == 36 && Utf8Parser.TryParse(segment, out Guid _, out var length, 'D') && length == segment.Length)
        || (segment.Length == 32 && Utf8Parser.TryParse(segment, out Guid _, out length, 'N') && length == segment.Length);

    // Neither infinity nor NaN, which the parser also accepts.
    private static bool IsDouble(ReadOnlySpan<byte> segment) => segment is not [(byte)'+', ..]
        && double.TryParse(
            segment, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent, CultureInfo.InvariantCulture, out var number)
        && double.IsFinite(number);

    private static bool IsAlpha(ReadOnlySpan<byte> segment)
    {
        foreach (var octet in segment)
        {
            if (!char.IsAsciiLetter((char)octet)) { return false; }
        }
        return true;
    }

    private static SegmentTest? HasLength(long[] lengths)
    {
        if (lengths is not ([_] or [_, _]) || lengths[0] < 1 || lengths[^1] > MaxLength || lengths[0] > lengths[^1]) { return null; }
        var (least, most) = (lengths[0], lengths[^1]);
        return segment => Encoding.UTF8.GetCharCount(segment) is var count && count >= least && count <= most;
    }
}
