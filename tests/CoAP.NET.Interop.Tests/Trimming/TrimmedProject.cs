using System.Runtime.InteropServices;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Trimming;

/// <summary>A console project outside of the repository that uses the built libraries and is published trimmed, with its own runtime.</summary>
internal sealed class TrimmedProject : IDisposable
{
    // "dotnet test" sets variables for its own build, which would direct another one to the wrong tools.
    private static readonly string[] Dotnet =
    [
        "-u", "MSBuildSDKsPath", "-u", "MSBuildExtensionsPath", "-u", "MSBUILD_EXE_PATH",
        "MSBUILDDISABLENODEREUSE=1", "DOTNET_NOLOGO=1", "DOTNET_CLI_TELEMETRY_OPTOUT=1", "dotnet",
    ];

    private static readonly string[] Libraries =
    [
        "CoAP.NET.Core", "CoAP.NET", "CoAP.NET.Formats", "Google.Protobuf",
        "Microsoft.Extensions.Logging.Abstractions", "Microsoft.Extensions.DependencyInjection.Abstractions",
    ];

    private const string Program = """
        foreach (var line in await CoAP.Interop.Tests.Trimming.ExchangedValues.RunAsync()) { Console.WriteLine(line); }

        """;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("coap-trimmed-");

    public TrimmedProject()
    {
        File.WriteAllText(Path.Combine(_folder.FullName, "trimmed.csproj"), ProjectFile());
        File.WriteAllText(Path.Combine(_folder.FullName, "Program.cs"), Program);
    }

    /// <summary>Fetches the runtime and the trimmer, which come from NuGet.</summary>
    public Task<Outcome> RestoreAsync() => RunAsync("restore");

    /// <summary>Builds, trims and publishes. Warnings are errors.</summary>
    public Task<Outcome> PublishAsync() => RunAsync("publish", "--no-restore", "-c", "Release", "-o", Path.Combine(_folder.FullName, "published"));

    /// <summary>Runs the published program.</summary>
    public Task<Outcome> RunPublishedAsync() => RunningProgram.RunAsync(Path.Combine(_folder.FullName, "published", "trimmed"));

    public void Dispose() => _folder.Delete(recursive: true);

    private Task<Outcome> RunAsync(string command, params string[] more) =>
        RunningProgram.RunAsync("env", [.. Dotnet, command, _folder.FullName, .. more]);

    // Without the two properties of the trimmer, all warnings of a library are one, and libraries that are not marked as trimmable have none.
    private static string ProjectFile() => $"""
        <Project Sdk="Microsoft.NET.Sdk">
          <PropertyGroup>
            <OutputType>Exe</OutputType>
            <TargetFramework>net{Environment.Version.ToString(2)}</TargetFramework>
            <RuntimeIdentifier>{RuntimeInformation.RuntimeIdentifier}</RuntimeIdentifier>
            <Nullable>enable</Nullable>
            <ImplicitUsings>enable</ImplicitUsings>
            <InvariantGlobalization>true</InvariantGlobalization>
            <SelfContained>true</SelfContained>
            <PublishTrimmed>true</PublishTrimmed>
            <TrimMode>full</TrimMode>
            <TrimmerSingleWarn>false</TrimmerSingleWarn>
            <SuppressTrimAnalysisWarnings>false</SuppressTrimAnalysisWarnings>
            <IsAotCompatible>true</IsAotCompatible>
            <JsonSerializerIsReflectionEnabledByDefault>false</JsonSerializerIsReflectionEnabledByDefault>
            <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
            <WarningsNotAsErrors>IL2067</WarningsNotAsErrors>
            <UseSharedCompilation>false</UseSharedCompilation>
          </PropertyGroup>
          <ItemGroup>
            <Compile Include="{Path.Combine(Repository.Root, "tests", "CoAP.NET.Interop.Tests", "Trimming", "Exchanged*.cs")}" />
            <Analyzer Include="{Generator()}" />
            <Reference Include="{string.Join(';', Libraries.Select(PathOf))}" />
          </ItemGroup>
        </Project>
        """;

    // The abstractions are a part of ASP.NET Core, which one of the tests' references brings.
    private static string PathOf(string library) => Path.Combine(AppContext.BaseDirectory, library + ".dll") is var path && File.Exists(path)
        ? path
        : System.Reflection.Assembly.Load(library).Location;

    private static string Generator()
    {
        var configuration = new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;
        const string Name = "CoAP.NET.Formats.Generator";
        return Path.Combine(Repository.Root, "src", Name, "bin", configuration, "netstandard2.0", $"{Name}.dll");
    }
}
