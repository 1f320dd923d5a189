namespace CoAP.Interop.Tests.Programs;

/// <summary>Where things are in the working copy that the tests were built in.</summary>
internal static class Repository
{
    private const string Solution = "CoAP.NET.sln";

    public static string Root { get; } = FindRoot();

    /// <summary>The program of a sample, built in the same configuration as the tests.</summary>
    public static string Sample(string name)
    {
        var output = new DirectoryInfo(AppContext.BaseDirectory);
        return Path.Combine(Root, "samples", name, "bin", output.Parent!.Name, output.Name, $"{name}.dll");
    }

    private static string FindRoot()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, Solution))) { return folder.FullName; }
        }
        throw new DirectoryNotFoundException($"There is no {Solution} above {AppContext.BaseDirectory}.");
    }
}
