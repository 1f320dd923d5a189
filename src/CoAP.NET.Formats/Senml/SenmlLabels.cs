using System.Buffers;
using System.Text;

namespace CoAP.Formats;

/// <summary>The names, numbers and types of the fields (RFC 8428, section 12.2).</summary>
internal static class SenmlLabels
{
    /// <summary>The number of fields that are numbers.</summary>
    public const int NumberCount = 8;

    /// <summary>The number of fields that are texts.</summary>
    public const int TextCount = 5;

    private static readonly (string Name, int Number, SenmlValueKind Kind)[] Table =
    [
        ("bn", -2, SenmlValueKind.Text),
        ("bt", -3, SenmlValueKind.Number),
        ("bu", -4, SenmlValueKind.Text),
        ("bv", -5, SenmlValueKind.Number),
        ("bs", -6, SenmlValueKind.Number),
        ("bver", -1, SenmlValueKind.Number),
        ("n", 0, SenmlValueKind.Text),
        ("u", 1, SenmlValueKind.Text),
        ("t", 6, SenmlValueKind.Number),
        ("v", 2, SenmlValueKind.Number),
        ("vs", 3, SenmlValueKind.Text),
        ("vb", 4, SenmlValueKind.Boolean),
        ("vd", 8, SenmlValueKind.Data),
        ("s", 5, SenmlValueKind.Number),
        ("ut", 7, SenmlValueKind.Number),
    ];

    private static readonly int[] Places = [.. Table.Select((field, i) => Table.Take(i).Count(before => before.Kind == field.Kind))];

    private static readonly SearchValues<char> Letters =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:.");

    public static int Count => Table.Length;

    /// <summary>Returns the name of a field in JSON and XML.</summary>
    public static string NameOf(SenmlLabel label) => Table[(int)label].Name;

    /// <summary>Returns the integer that stands for a field in CBOR (RFC 8428, section 6).</summary>
    public static int NumberOf(SenmlLabel label) => Table[(int)label].Number;

    public static SenmlValueKind KindOf(SenmlLabel label) => Table[(int)label].Kind;

    /// <summary>Returns how many fields of the same kind are before a field.</summary>
    public static int PlaceOf(SenmlLabel label) => Places[(int)label];

    /// <summary>Finds a field by its name.</summary>
    public static SenmlLabel Find(ReadOnlySpan<byte> name) => name.Length switch
    {
        1 => name[0] switch
        {
            (byte)'n' => SenmlLabel.Name,
            (byte)'u' => SenmlLabel.Unit,
            (byte)'t' => SenmlLabel.Time,
            (byte)'v' => SenmlLabel.Value,
            (byte)'s' => SenmlLabel.Sum,
            _ => SenmlLabel.Unknown,
        },
        2 => (name[0], name[1]) switch
        {
            ((byte)'b', (byte)'n') => SenmlLabel.BaseName,
            ((byte)'b', (byte)'t') => SenmlLabel.BaseTime,
            ((byte)'b', (byte)'u') => SenmlLabel.BaseUnit,
            ((byte)'b', (byte)'v') => SenmlLabel.BaseValue,
            ((byte)'b', (byte)'s') => SenmlLabel.BaseSum,
            ((byte)'v', (byte)'s') => SenmlLabel.TextValue,
            ((byte)'v', (byte)'b') => SenmlLabel.BooleanValue,
            ((byte)'v', (byte)'d') => SenmlLabel.DataValue,
            ((byte)'u', (byte)'t') => SenmlLabel.UpdateTime,
            _ => SenmlLabel.Unknown,
        },
        4 when name.SequenceEqual("bver"u8) => SenmlLabel.BaseVersion,
        _ => SenmlLabel.Unknown,
    };

    /// <summary>Finds a field by its integer.</summary>
    public static SenmlLabel Find(long number)
    {
        for (var i = 0; i < Table.Length; i++)
        {
            if (Table[i].Number == number) { return (SenmlLabel)i; }
        }
        return SenmlLabel.Unknown;
    }

    /// <summary>Returns whether a text can be the label of an extension (RFC 8428, section 11).</summary>
    public static bool IsExtension(string label) =>
        label.Length > 0 && label != "b" && char.IsAsciiLetterOrDigit(label[0]) && !label.AsSpan().ContainsAnyExcept(Letters)
        && Find(Encoding.UTF8.GetBytes(label)) == SenmlLabel.Unknown;
}
