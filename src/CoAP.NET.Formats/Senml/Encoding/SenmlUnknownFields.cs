using System.Text;

namespace CoAP.Formats;

/// <summary>
/// The fields of a record that RFC 8428 does not define. Receivers ignore them, however many they are and whatever they are called, unless
/// the label ends with "_" (section 4.4).
/// </summary>
/// <remarks>Some fields are kept for the program. An ignored field leaves nothing behind. A label is compared with those kept
/// only.</remarks>
internal sealed class SenmlUnknownFields(SenmlSettings settings)
{
    private const int LongestQuote = 256;

    private readonly List<SenmlExtension> _kept = [];
    private string? _label;
    private int _room;

    /// <summary>Whether one of the fields is not a base field. It may be the value of the record.</summary>
    public bool HasValue { get; private set; }

    /// <summary>Whether the value of the current field is worth reading.</summary>
    public bool IsWanted => _label is not null;

    /// <summary>The fields that are kept.</summary>
    public IReadOnlyList<SenmlExtension> Kept => _kept.Count == 0 ? [] : _kept.ToArray();

    /// <summary>Begins the next record.</summary>
    public void Begin()
    {
        _kept.Clear();
        _label = null;
        _room = settings.MaxExtensions;
        HasValue = false;
    }

    /// <summary>Takes an integer label. Those of base fields are negative (RFC 8428, section 12.2).</summary>
    public void Accept(long number)
    {
        _label = null;
        HasValue |= number >= 0;
    }

    /// <summary>Takes a label. Returns what is wrong with it, or <see langword="null"/>.</summary>
    public string? Accept(ReadOnlySpan<byte> name)
    {
        _label = null;
        HasValue |= !name.StartsWith("b"u8);
        var isCritical = name.EndsWith("_"u8);
        if (name.Length > settings.MaxNameLength) { return isCritical ? NotUnderstood(Start(name)) : null; }
        if (_room == 0 && !isCritical) { return null; }
        var label = Encoding.UTF8.GetString(name);
        if (!IsUnderstood(label)) { return NotUnderstood(label); }
        if (!IsKept(label)) { _label = SenmlLabels.IsExtension(label) ? label : null; }
        else if (isCritical) { return $"field '{label}' occurs twice"; }
        return null;
    }

    /// <summary>Sets the value of the current field. One that could not be written is ignored.</summary>
    public void Keep(SenmlValue value)
    {
        if (_label is not { } label || (value.Kind == SenmlValueKind.Number && !double.IsFinite(value.Number))) { return; }
        _kept.Add(new SenmlExtension(label, value));
        _label = null;
        // Those that the program understands are never left out. They are as few as the labels in the settings.
        if (!label.EndsWith('_')) { _room--; }
    }

    /// <summary>Whether a label may be ignored, or the settings name it.</summary>
    public bool IsUnderstood(string label) => !label.EndsWith('_') || settings.UnderstoodLabels.Contains(label);

    /// <summary>Returns what is wrong with a label that may not be ignored.</summary>
    public static string NotUnderstood(string label) =>
        $"field '{TextErrors.Quote(label)}' must be understood and is not (RFC 8428, section 4.4)";

    private static string Start(ReadOnlySpan<byte> name) => Encoding.UTF8.GetString(name[..Math.Min(name.Length, LongestQuote)]);

    private bool IsKept(string label)
    {
        foreach (var field in _kept)
        {
            if (field.Label == label) { return true; }
        }
        return false;
    }
}
