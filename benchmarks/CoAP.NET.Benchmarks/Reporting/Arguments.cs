namespace CoAP.Benchmarks.Reporting;

/// <summary>A command line that cannot be understood. The message names the word and what is allowed.</summary>
internal sealed class UsageException(string message) : Exception(message);

/// <summary>The words of a command line. Each method takes its own words; <see cref="End"/> rejects the words that remain.</summary>
internal sealed class Arguments(IEnumerable<string> words)
{
    private readonly List<string> _words = [.. words];
    private readonly SortedSet<string> _known = new(StringComparer.Ordinal);

    /// <summary>Takes a word that has no value.</summary>
    public bool Flag(string name)
    {
        _known.Add(name);
        return _words.Remove(name);
    }

    /// <summary>Takes the first word that is not an option, or returns <c>null</c>. Options with values are taken first.</summary>
    public string? Plain()
    {
        var at = _words.FindIndex(static word => !IsOption(word));
        if (at < 0) { return null; }
        var word = _words[at];
        _words.RemoveAt(at);
        return word;
    }

    /// <summary>Takes an option and its value, or returns <c>null</c>. The second argument describes the allowed values.</summary>
    public string? Text(string name, string allowed)
    {
        _known.Add(name);
        var at = _words.IndexOf(name);
        if (at < 0) { return null; }
        if (at + 1 == _words.Count || IsOption(_words[at + 1])) { throw new UsageException($"{name} has no value; allowed is {allowed}."); }
        var value = _words[at + 1];
        _words.RemoveRange(at, 2);
        return value;
    }

    public int? Count(string name, int least, int most) =>
        Parse(name, F($"a whole number from {least:N0} to {most:N0}"), text => ToCount(text, least, most));

    public double? Number(string name, double least, double most) => Parse(
        name, F($"a number from {least} to {most:N0}"),
        text => double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && number >= least && number <= most ? number : (double?)null);

    public TimeSpan? Seconds(string name, double least) => Number(name, least, 1_000_000) is { } seconds ? TimeSpan.FromSeconds(seconds) : null;

    /// <summary>Takes whole numbers with commas between them.</summary>
    public IReadOnlyList<int>? Counts(string name, int least, int most)
    {
        var allowed = F($"whole numbers from {least:N0} to {most:N0} with commas between them");
        return Text(name, allowed) is not { } text ? null
            : [.. text.Split(',').Select(part => ToCount(part, least, most) ?? throw Wrong(name, text, allowed))];
    }

    /// <summary>Takes names with commas between them.</summary>
    public IReadOnlyList<string>? Names(string name, IReadOnlyList<string> allowed)
    {
        var description = string.Join(", ", allowed) + ", with commas between them";
        if (Text(name, description) is not { } text) { return null; }
        var names = text.Split(',');
        return names.All(allowed.Contains) ? names : throw Wrong(name, text, description);
    }

    public string? OneOf(string name, params IReadOnlyList<string> allowed)
    {
        var description = string.Join(" or ", allowed);
        return Text(name, description) is not { } text ? null : allowed.Contains(text) ? text : throw Wrong(name, text, description);
    }

    /// <summary>Rejects the words that no method took.</summary>
    public void End()
    {
        if (_words.Count > 0) { throw new UsageException($"'{_words[0]}' is not known here, or given twice; allowed are {string.Join(", ", _known)}."); }
    }

    private static UsageException Wrong(string name, string value, string allowed) => new($"{name} is '{value}'; allowed is {allowed}.");

    private static bool IsOption(string word) => word.StartsWith("--", StringComparison.Ordinal);

    private static int? ToCount(string text, int least, int most) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var count) && count >= least && count <= most ? count : null;

    private static string F(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private T? Parse<T>(string name, string allowed, Func<string, T?> parse)
        where T : struct =>
        Text(name, allowed) is not { } text ? null : parse(text) ?? throw Wrong(name, text, allowed);
}
