using System.Globalization;

namespace CoAP.Tests.Architecture;

/// <summary>A number about the sources that may shrink but not grow.</summary>
/// <param name="Name">What the number belongs to.</param>
/// <param name="Number">The number.</param>
/// <param name="Meaning">What it counts.</param>
/// <param name="Places">Where it comes from; empty if that would be too long to print.</param>
/// <param name="Least">The number that needs no line in the approved file.</param>
internal sealed record Figure(string Name, int Number, string Meaning, IReadOnlyList<string> Places, int Least = 0)
{
    public string Line => string.Create(CultureInfo.InvariantCulture, $"{Name} | {Number} | {Meaning}");

    /// <summary>Reads the approved numbers. Lines that start with '#' are comments.</summary>
    public static IReadOnlyDictionary<string, int> Read(IEnumerable<string> lines) => lines
        .Where(static line => line.Length > 0 && line[0] != '#')
        .Select(static line => line.Split(" | "))
        .ToDictionary(static parts => parts[0], static parts => int.Parse(parts[1], CultureInfo.InvariantCulture));

    /// <summary>Returns one text for each number that has grown, with its places.</summary>
    public static IEnumerable<string> Grown(IReadOnlyDictionary<string, int> approved, IEnumerable<Figure> measured) =>
        from figure in measured
        let before = approved.GetValueOrDefault(figure.Name, figure.Least)
        where figure.Number > before
        select $"{figure.Name} has grown from {before} to {figure.Number} ({figure.Meaning}): {string.Join(", ", figure.Places)}";

    /// <summary>Returns one text for each number that is smaller than the approved one.</summary>
    public static IEnumerable<string> Shrunk(IReadOnlyDictionary<string, int> approved, IEnumerable<Figure> measured)
    {
        var now = measured.ToDictionary(static figure => figure.Name, static figure => figure.Number);
        return approved.Where(one => now.GetValueOrDefault(one.Key) < one.Value)
            .Select(one => $"{one.Key} has shrunk from {one.Value} to {now.GetValueOrDefault(one.Key)}");
    }
}
