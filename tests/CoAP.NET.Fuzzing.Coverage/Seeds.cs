using CoAP.Fuzzing.Engine;

namespace CoAP.Fuzzing.Coverage;

/// <summary>Writes what AFL starts from: the corpus of a target and its known failures, and its words as a dictionary.</summary>
internal static class Seeds
{
    // The longest token of a dictionary that AFL takes.
    private const int LongestWord = 128;

    public static void Write(FuzzTarget target, string folder)
    {
        var seeds = Directory.CreateDirectory(Path.Combine(folder, "seeds")).FullName;
        foreach (var (name, input) in FuzzFolders.Corpus(target).Concat(FuzzFolders.Regressions(target)))
        {
            File.WriteAllBytes(Path.Combine(seeds, name), StepBytes.Write(input));
        }
        var words = target.Dictionary.Where(static word => word.Length is > 0 and <= LongestWord);
        File.WriteAllLines(Path.Combine(folder, "words"), words.Select(static word => $"\"{string.Concat(word.Select(static one => $"\\x{one:X2}"))}\""));
    }
}
