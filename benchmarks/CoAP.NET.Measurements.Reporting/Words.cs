using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace CoAP.Measurements.Reporting;

/// <summary>
/// The command line of a program that measures: words that begin with "--", alone or before a value, and plain ones. What the programs have in
/// common is called and bounded alike in all of them. An error says what is wrong, the value, and what is allowed.
/// </summary>
/// <typeparam name="T">A record that is changed by one word after another.</typeparam>
internal sealed class Words<T>
    where T : class
{
    private readonly SortedDictionary<string, Word> _words = new(StringComparer.Ordinal);
    private Word? _plain;

    /// <summary>--dry, --quick and --full; the last one counts.</summary>
    public Words<T> Form(Func<T, RunForm, T> set) =>
        Alone("--dry", one => set(one, RunForm.Dry)).Alone("--quick", one => set(one, RunForm.Quick)).Alone("--full", one => set(one, RunForm.Full));

    /// <summary>--output, the folder of tables and pictures.</summary>
    public Words<T> Output(Func<T, string, T> set) => Text("--output", "a folder", set);

    /// <summary>--seed, where random messages come from.</summary>
    public Words<T> Seed(Func<T, int, T> set) => Count("--seed", int.MinValue, int.MaxValue, set);

    /// <summary>--repeats, the runs of each thing instead of what the form says.</summary>
    public Words<T> Repeats(Func<T, int, T> set) => Count("--repeats", 1, 1_000_000, set);

    /// <summary>--only, the parts that are measured.</summary>
    /// <param name="parts">All that there are; none where it is not known here.</param>
    /// <param name="set">Gets them.</param>
    public Words<T> Only(IReadOnlyList<string> parts, Func<T, IReadOnlyList<string>, T> set) => Names("--only", parts, set);

    /// <summary>A word without a value.</summary>
    public Words<T> Alone(string name, Func<T, T> set) => Add(name, new("", HasValue: false, (one, _) => set(one)));

    public Words<T> Text(string name, string allowed, Func<T, string, T> set) => Add(name, new(allowed, HasValue: true, set));

    public Words<T> Number(string name, double least, double most, Func<T, double, T> set) => Add(name, new(
        string.Create(CultureInfo.InvariantCulture, $"a number from {least} to {most:N0}"),
        HasValue: true,
        (one, text) => double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && number >= least && number <= most
            ? set(one, number) : null));

    public Words<T> Count(string name, int least, int most, Func<T, int, T> set) => Add(name, new(
        string.Create(CultureInfo.InvariantCulture, $"a whole number from {least:N0} to {most:N0}"),
        HasValue: true,
        (one, text) => TryCount(text, least, most, out var count) ? set(one, count) : null));

    /// <summary>Whole numbers with commas between them.</summary>
    public Words<T> Counts(string name, int least, int most, Func<T, IReadOnlyList<int>, T> set) => Add(name, new(
        string.Create(CultureInfo.InvariantCulture, $"whole numbers from {least:N0} to {most:N0} with commas between them"),
        HasValue: true,
        (one, text) =>
        {
            var counts = new List<int>();
            foreach (var part in text.Split(','))
            {
                if (!TryCount(part, least, most, out var count)) { return null; }
                counts.Add(count);
            }
            return set(one, counts);
        }));

    /// <summary>Names with commas between them.</summary>
    public Words<T> Names(string name, IReadOnlyList<string> allowed, Func<T, IReadOnlyList<string>, T> set) => Add(name, new(
        allowed.Count == 0 ? "names with commas between them" : $"{string.Join(", ", allowed)}, with commas between them",
        HasValue: true,
        (one, text) => text.Split(',') is var names && names.All(part => allowed.Count == 0 ? part.Length > 0 : allowed.Contains(part)) ? set(one, names) : null));

    /// <summary>One of some names.</summary>
    public Words<T> OneOf(string name, IReadOnlyList<string> allowed, Func<T, string, T> set) =>
        Add(name, new(string.Join(" or ", allowed), HasValue: true, (one, text) => allowed.Contains(text) ? set(one, text) : null));

    /// <summary>What stands alone and does not begin with "--".</summary>
    /// <param name="allowed">In words.</param>
    /// <param name="set">Gets it, and answers nothing where it is not allowed.</param>
    public Words<T> Plain(string allowed, Func<T, string, T?> set)
    {
        _plain = new(allowed, HasValue: false, set);
        return this;
    }

    /// <summary>Reads what was given.</summary>
    /// <param name="args">The words.</param>
    /// <param name="start">What holds where nothing is said.</param>
    /// <param name="settings">What holds now.</param>
    /// <param name="error">The first word that is wrong, and why.</param>
    public bool TryRead(ReadOnlySpan<string> args, T start, [NotNullWhen(true)] out T? settings, [NotNullWhen(false)] out string? error)
    {
        settings = start;
        error = null;
        for (var at = 0; at < args.Length && error is null; at++)
        {
            var name = args[at];
            if (Find(name) is not { } word) { error = $"'{name}' is not known; allowed are {Known()}."; }
            else if (!word.HasValue)
            {
                if (word.Set(settings, name) is { } changed) { settings = changed; }
                else { error = $"'{name}' is not allowed; allowed is {word.Allowed}."; }
            }
            else if (at + 1 == args.Length || IsWord(args[at + 1]) || args[at + 1].Length == 0) { error = $"{name} has no value; allowed is {word.Allowed}."; }
            else if (word.Set(settings, args[++at]) is { } changed) { settings = changed; }
            else { error = $"{name} is '{args[at]}'; allowed is {word.Allowed}."; }
        }
        if (error is null) { return true; }
        settings = null;
        return false;
    }

    private static bool IsWord(string text) => text.StartsWith("--", StringComparison.Ordinal);

    private static bool TryCount(string text, int least, int most, out int count) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out count) && count >= least && count <= most;

    private Words<T> Add(string name, Word word)
    {
        _words.Add(name, word);
        return this;
    }

    private Word? Find(string name) => IsWord(name) ? _words.GetValueOrDefault(name) : _plain;

    private string Known() => string.Join(", ", _plain is null ? _words.Keys : _words.Keys.Append(_plain.Allowed));

    /// <summary>One word.</summary>
    /// <param name="Allowed">Its values, in words.</param>
    /// <param name="HasValue">Whether a value follows.</param>
    /// <param name="Set">Gets the settings and the value; nothing where that is not allowed.</param>
    private sealed record Word(string Allowed, bool HasValue, Func<T, string, T?> Set);
}
