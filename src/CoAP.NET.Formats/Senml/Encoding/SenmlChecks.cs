namespace CoAP.Formats;

/// <summary>Checks that the encodings share: of packs before they are written, and of payloads before they are read.</summary>
internal static class SenmlChecks
{
    /// <summary>Checks a pack before it is written.</summary>
    /// <exception cref="ArgumentException">The pack has no record, or a record breaks a rule of RFC 8428.</exception>
    public static void Check(SenmlPack pack, SenmlSettings? settings)
    {
        ArgumentNullException.ThrowIfNull(pack);
        if (pack.Count == 0) { throw new ArgumentException("The pack has no record; at least 1 is required (RFC 8428, section 3).", nameof(pack)); }
        var scope = new SenmlScope(settings ?? SenmlSettings.Default);
        for (var i = 0; i < pack.Count; i++) { Check(pack[i], scope, i + 1); }
    }

    /// <summary>Checks the next record before it is written.</summary>
    /// <exception cref="ArgumentException">The record breaks a rule of RFC 8428.</exception>
    public static void Check(SenmlRecord record, SenmlScope scope, int number)
    {
        if ((scope.Enter(record) ?? Check(record) ?? CheckContent(record, scope)) is not { } wrong) { return; }
        throw new ArgumentException($"Record {number}: {wrong}.", nameof(record));
    }

    /// <summary>Creates the error for a payload without records.</summary>
    public static CoapPayloadException Empty(long offset) => new($"The pack has no record; at least 1 is required (at byte {offset}).", offset);

    /// <summary>Returns whether a text cannot be encoded in UTF-8.</summary>
    public static bool HasLoneSurrogate(string text)
    {
        for (var i = 0; i < text.Length; i++)
        {
            if (!char.IsSurrogate(text[i])) { continue; }
            if (i + 1 == text.Length || !char.IsSurrogatePair(text[i], text[i + 1])) { return true; }
            i++;
        }
        return false;
    }

    // What a received record cannot be, but one that the program created.
    private static string? Check(SenmlRecord record)
    {
        if (record.IsEmpty) { return "it has no field"; }
        for (var label = SenmlLabel.BaseName; label < SenmlLabel.Unknown; label++)
        {
            if (record.ValueOf(label) is not { } value) { continue; }
            if (Check(value) is { } wrong) { return $"field '{SenmlLabels.NameOf(label)}' {wrong}"; }
        }
        for (var i = 0; i < record.Extensions.Count; i++)
        {
            var (name, value) = record.Extensions[i];
            if ((CheckLabel(record, i) ?? Check(value)) is { } wrong) { return $"extension '{name}' {wrong}"; }
        }
        return null;
    }

    // Section 4.2 requires a value or a sum in each record, although section 4.5.4 says that a missing one is zero if there is a base
    // field. So such records are read, but other receivers may refuse them.
    private static string? CheckContent(SenmlRecord record, SenmlScope scope)
    {
        if (record.HasBaseFieldsOnly || record.ValueCount > 0 || record.Sum is not null) { return null; }
        if (scope.NumberOf(record) is not null && !record.HasUnknownValue) { return OnlyBase("value", nameof(SenmlRecord.Value)); }
        if (scope.SumOf(record) is not null && !record.HasUnknownValue) { return OnlyBase("sum", nameof(SenmlRecord.Sum)); }
        return record.HasIgnoredValue && !record.Extensions.Any(extension => !SenmlRecord.IsBase(extension))
            ? "its only value is a field that was skipped when it was read"
            : null;
    }

    private static string OnlyBase(string what, string member) =>
        $"its only {what} is the base {what}; set {member} to 0 (RFC 8428, section 4.2)";

    private static string? Check(SenmlValue value) => value.Kind switch
    {
        SenmlValueKind.Number when !double.IsFinite(value.Number) => "is not a finite number",
        SenmlValueKind.Text when HasLoneSurrogate(value.Text) => "contains half of a surrogate pair",
        _ => null,
    };

    private static string? CheckLabel(SenmlRecord record, int index)
    {
        var label = record.Extensions[index].Label;
        if (!SenmlLabels.IsExtension(label))
        {
            return "has a label that is not allowed: letters, digits and - _ : . are, after a letter or a digit, and the labels of RFC 8428 are not";
        }
        for (var i = 0; i < index; i++)
        {
            if (record.Extensions[i].Label == label) { return "occurs twice"; }
        }
        return null;
    }
}
