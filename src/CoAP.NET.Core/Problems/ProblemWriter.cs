namespace CoAP.Problems;

/// <summary>Writes problem details as a CBOR map (RFC 9290, section 2).</summary>
internal static class ProblemWriter
{
    public const int LanguageTag = 38;

    public static byte[] Write(ProblemDetails problem)
    {
        // The keys count down from -1 (RFC 9290, section 2).
        object?[] known =
        [
            problem.Title, problem.Detail, problem.Instance, problem.ResponseCode, problem.BaseUri, problem.BaseLanguage,
            problem.BaseDirection, problem.UnprocessedOptions.Count > 0 ? problem.UnprocessedOptions : null,
        ];
        var writer = new CborWriter();
        writer.WriteHead(CborKind.Map, Count(known, problem.Entries));
        for (var i = 0; i < known.Length; i++)
        {
            if (known[i] is not { } value) { continue; }
            writer.WriteInteger(-1 - i);
            WriteKnown(writer, value);
        }
        foreach (var entry in problem.Entries) { WriteEntry(writer, entry); }
        return writer.ToArray();
    }

    private static ulong Count(object?[] known, IReadOnlyList<ProblemEntry> entries)
    {
        var count = known.Count(value => value is not null) + entries.Count;
        if (count == 0) { throw new InvalidOperationException("The problem details are empty, which is not allowed (RFC 9290, section 2)."); }
        return entries.DistinctBy(entry => (entry.Number, entry.Uri), SeededComparer<(long?, string?)>.Default).Count() == entries.Count
            ? (ulong)count
            : throw new InvalidOperationException("Two entries have the same key.");
    }

    private static void WriteKnown(CborWriter writer, object value)
    {
        if (value is ProblemText text) { WriteText(writer, text); }
        else if (value is string plain) { writer.WriteText(plain); }
        else if (value is CoapCode code) { writer.WriteInteger(code.Value); }
        else if (value is TextDirection direction) { writer.WriteDirection(direction); }
        else { WriteNumbers(writer, (IReadOnlyList<uint>)value); }
    }

    private static void WriteText(CborWriter writer, ProblemText text)
    {
        if (text.Language is { } language)
        {
            writer.WriteHead(CborKind.Tag, LanguageTag);
            writer.WriteHead(CborKind.Array, text.Direction is null ? 2UL : 3UL);
            writer.WriteText(language);
        }
        writer.WriteText(text.Text);
        if (text is { Language: not null, Direction: { } direction }) { writer.WriteDirection(direction); }
    }

    // One number is not in an array, several are (RFC 9290, section 3.1.1).
    private static void WriteNumbers(CborWriter writer, IReadOnlyList<uint> numbers)
    {
        if (numbers.Count > 1) { writer.WriteHead(CborKind.Array, (ulong)numbers.Count); }
        foreach (var number in numbers) { writer.WriteInteger(number); }
    }

    private static void WriteEntry(CborWriter writer, ProblemEntry entry)
    {
        if (entry.Number is { } number) { writer.WriteInteger(number); }
        else { writer.WriteText(entry.Uri!); }
        writer.WriteEncoded(entry.Value.Span);
    }
}
