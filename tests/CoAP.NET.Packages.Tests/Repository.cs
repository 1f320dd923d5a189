namespace CoAP.Packages.Tests;

/// <summary>Where things are in the working copy that the tests were built in.</summary>
internal static class Repository
{
    public static string Root { get; } = Find(new DirectoryInfo(AppContext.BaseDirectory));

    /// <summary>The configuration in which the tests were built.</summary>
    public static string Configuration { get; } = new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;

    /// <summary>The IDs of all packages.</summary>
    public static IReadOnlyList<string> Packages { get; } = [.. Projects().Select(Path.GetFileNameWithoutExtension)!];

    /// <summary>The IDs of the packages that programs refer to. The others are tools.</summary>
    public static IReadOnlyList<string> Libraries { get; } =
        [.. Projects().Where(file => !Read(file).Contains("<PackAsTool>", StringComparison.Ordinal)).Select(Path.GetFileNameWithoutExtension)!];

    public static string Read(string file) => File.ReadAllText(Path.Combine(Root, file));

    private static IEnumerable<string> Projects() => Directory.EnumerateFiles(Path.Combine(Root, "src"), "*.csproj", SearchOption.AllDirectories)
        .Where(file => !Read(file).Contains("<IsPackable>false", StringComparison.Ordinal)).Order(StringComparer.Ordinal);

    private static string Find(DirectoryInfo? folder) => folder switch
    {
        null => throw new DirectoryNotFoundException($"No folder above {AppContext.BaseDirectory} has CoAP.NET.sln in it."),
        _ when File.Exists(Path.Combine(folder.FullName, "CoAP.NET.sln")) => folder.FullName,
        _ => Find(folder.Parent),
    };
}
