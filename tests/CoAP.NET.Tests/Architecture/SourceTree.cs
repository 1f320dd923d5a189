namespace CoAP.Tests.Architecture;

/// <summary>The repository's files, as a fresh clone has them.</summary>
internal static class SourceTree
{
    private static readonly string[] Built = ["bin", "obj", "TestResults", "BenchmarkDotNet.Artifacts"];

    public static string Root { get; } = Find(new DirectoryInfo(AppContext.BaseDirectory));

    /// <summary>The C# files below a folder, with paths relative to the root and forward slashes.</summary>
    public static IReadOnlyList<string> Files(string folder) =>
    [
        .. Directory.EnumerateFiles(Path.Combine(Root, folder), "*.cs", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(Root, file).Replace('\\', '/'))
            .Where(file => !file.Split('/').Intersect(Built).Any())
            .Order(StringComparer.Ordinal),
    ];

    public static string[] Lines(string file) => File.ReadAllLines(Path.Combine(Root, file));

    private static string Find(DirectoryInfo? folder) => folder switch
    {
        null => throw new DirectoryNotFoundException($"No folder above {AppContext.BaseDirectory} has CoAP.NET.sln in it."),
        _ when File.Exists(Path.Combine(folder.FullName, "CoAP.NET.sln")) => folder.FullName,
        _ => Find(folder.Parent),
    };
}
