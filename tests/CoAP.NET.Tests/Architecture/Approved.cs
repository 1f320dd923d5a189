namespace CoAP.Tests.Architecture;

/// <summary>A text file that people have looked at and approved. COAP_APPROVE=1 writes it anew; the change is then reviewed like any other.</summary>
internal static class Approved
{
    public static bool Rewrites => Environment.GetEnvironmentVariable("COAP_APPROVE") == "1";

    /// <summary>Fails with the difference.</summary>
    /// <param name="file">Relative to the root of the repository.</param>
    /// <param name="actual">What the file should say.</param>
    public static void Check(string file, IReadOnlyList<string> actual)
    {
        var path = Path.Combine(SourceTree.Root, file);
        if (Rewrites)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, string.Join('\n', actual) + '\n');
            return;
        }
        var approved = File.Exists(path) ? File.ReadAllLines(path) : [];
        var (before, now) = (InContext(approved), InContext(actual));
        var difference = before.Except(now).Select(line => "gone: " + line).Concat(now.Except(before).Select(line => "new: " + line)).ToList();
        if (difference.Count == 0 && !approved.SequenceEqual(actual)) { difference.Add("the same lines in another order"); }
        difference.Should().BeEmpty($"{file} is approved; COAP_APPROVE=1 dotnet test writes it anew");
    }

    // A line of a list says little without the heading it stands under.
    private static List<string> InContext(IReadOnlyList<string> lines)
    {
        var heading = "";
        var result = new List<string>();
        foreach (var line in lines.Where(line => line.Length > 0))
        {
            var isItem = line[0] is ' ' or '-';
            if (!isItem) { heading = line; }
            result.Add(isItem ? $"{heading} | {line.Trim()}" : line);
        }
        return result;
    }
}
