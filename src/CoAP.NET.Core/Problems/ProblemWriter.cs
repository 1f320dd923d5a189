namespace CoAP.Problems;

/// <summary>Writes problem details as a CBOR map (RFC 9290, section 2).</summary>
internal static class ProblemWriter
{
    public const int LanguageTag = 38;

    public static byte[] Write(ProblemDetails problem)
    {
        var writer = new CborWriter();
        writer.WriteHead(CborKind.Map, Count(problem));
        WriteText(writer, -1, problem.Title);
        WriteText(writer, -2, problem.Detail);
        WritePlain(writer, -3, problem.Instance);
        if (problem.ResponseCode is { } code)
        {
            writer.WriteInteger(-4);
            writer.WriteInteger(code.Value);
        }
        WritePlain(writer, -5, problem.BaseUri);
        WritePlain(writer, -6, problem.BaseLanguage);
        if (problem.BaseDirection is { } direction)
        {
            writer.WriteInteger(-7);
            writer.WriteDirection(direction);
        }
        WriteOptions(writer, problem.UnprocessedOptions);
        foreach (var entry in problem.Entries) { WriteEntry(writer, entry); }
        return writer.ToArray();
    }

    private static ulong Count(ProblemDetails problem)
    {
        object?[] known = [problem.Title, problem.Detail, problem.Instance, problem.ResponseCode, problem.BaseUri, problem.BaseLanguage, problem.BaseDirection];
        var count = known.Count(value => value is not null) + (problem.UnprocessedOptions.Count > 0 ? 1 : 0) + problem.Entries.Count;
        if (count == 0) { throw new InvalidOperationException("The problem details are empty, which is not allowed (RFC 9290, section 2)."); }
        if (problem.Entries.Select(entry => (entry.Number, entry.Uri)).Distinct().Count() < problem.Entries.Count)
        {
            throw new InvalidOperationException("Two entries have the same key.");
        }
        return (ulong)count;
    }

    private static void WriteText(CborWriter writer, int key, ProblemText? text)
    {
        if (text is null) { return; }
        writer.WriteInteger(key);
        if (text.Language is { } language)
        {
            writer.WriteHead(CborKind.Tag, LanguageTag);
            writer.WriteHead(CborKind.Array, text.Direction is null ? 2UL : 3UL);
            writer.WriteText(language);
        }
        writer.WriteText(text.Text);
        if (text is { Language: not null, Direction: { } direction }) { writer.WriteDirection(direction); }
    }

    private static void WritePlain(CborWriter writer, int key, string? text)
    {
        if (text is null) { return; }
        writer.WriteInteger(key);
        writer.WriteText(text);
    }

    // One number is not in an array, several are (RFC 9290, section 3.1.1).
    private static void WriteOptions(CborWriter writer, IReadOnlyList<uint> numbers)
    {
        if (numbers.Count == 0) { return; }
        writer.WriteInteger(-8);
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
