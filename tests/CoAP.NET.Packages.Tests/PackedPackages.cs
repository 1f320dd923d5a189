using System.Diagnostics;

namespace CoAP.Packages.Tests;

/// <summary>All packages, packed once from the assemblies that are built.</summary>
public sealed class PackedPackages : IAsyncLifetime
{
    public const string RepositoryUrl = "https://example.org/coap";

    // "dotnet test" sets variables for its own build, which would direct another one to the wrong tools.
    private static readonly string[] OfOuterBuild = ["MSBuildSDKsPath", "MSBuildExtensionsPath", "MSBUILD_EXE_PATH"];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("coap-packages-");

    internal Package this[string id] => new(_folder.EnumerateFiles($"{id}.*.nupkg").Single(file => char.IsDigit(file.Name[id.Length + 1])).FullName);

    public async Task InitializeAsync()
    {
        string[] arguments =
        [
            "msbuild", "packaging/Packages.proj", "-nologo", "-v:minimal", $"-p:Configuration={Repository.Configuration}", "-p:NoBuild=true",
            $"-p:PackageOutputPath={_folder.FullName}", $"-p:RepositoryUrl={RepositoryUrl}", "-p:EnablePackageValidation=false",
        ];
        var start = new ProcessStartInfo("dotnet", arguments) { WorkingDirectory = Repository.Root, RedirectStandardOutput = true };
        foreach (var name in OfOuterBuild) { start.Environment.Remove(name); }
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        using var program = Process.Start(start)!;
        var output = await program.StandardOutput.ReadToEndAsync();
        await program.WaitForExitAsync();
        program.ExitCode.Should().Be(0, output);
    }

    public Task DisposeAsync()
    {
        _folder.Delete(recursive: true);
        return Task.CompletedTask;
    }
}
