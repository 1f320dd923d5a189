namespace CoAP.Fuzzing.Engine;

/// <summary>The folders of the corpus, of the regressions and of what a run leaves.</summary>
internal static class FuzzFolders
{
    private static readonly string Root = Find(new DirectoryInfo(AppContext.BaseDirectory));

    /// <summary>Where failing inputs and tables are written.</summary>
    public static string Artifacts { get; } = Path.Combine(Root, "artifacts", "fuzz");

    /// <summary>The inputs from which mutations start.</summary>
    public static IReadOnlyList<(string Name, FuzzInput Input)> Corpus(FuzzTarget target) => Read("Corpus", target.Name);

    /// <summary>The inputs that failed once.</summary>
    public static IReadOnlyList<(string Name, FuzzInput Input)> Regressions(FuzzTarget target) => Read("Regressions", target.Name);

    /// <summary>Writes an input and returns the path of the file.</summary>
    public static string Write(string folder, FuzzTarget target, FuzzInput input, string remark)
    {
        var path = Path.Combine(Artifacts, folder, target.Name, input.Name + ".hex");
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, string.Concat(remark.Split('\n').Select(line => $"# {line.TrimEnd()}\n")) + input);
        return path;
    }

    private static (string, FuzzInput)[] Read(string kind, string target)
    {
        var folder = Path.Combine(Root, "tests", "CoAP.NET.Fuzzing", kind, target);
        return !Directory.Exists(folder) ? [] :
        [
            .. Directory.GetFiles(folder, "*.hex").Order(StringComparer.Ordinal)
                .Select(file => (Path.GetFileNameWithoutExtension(file), FuzzInput.Parse(File.ReadAllText(file)))),
        ];
    }

    private static string Find(DirectoryInfo? folder) => folder switch
    {
        null => throw new DirectoryNotFoundException($"No folder above {AppContext.BaseDirectory} has CoAP.NET.sln in it."),
        _ when File.Exists(Path.Combine(folder.FullName, "CoAP.NET.sln")) => folder.FullName,
        _ => Find(folder.Parent),
    };
}
