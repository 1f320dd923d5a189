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

    private const string Exchange = """
        foreach (var line in await CoAP.Interop.Tests.Trimming.ExchangedValues.RunAsync()) { Console.WriteLine(line); }

        """;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("coap-trimmed-");

    private TrimmedProject(TrimmedParts parts) => File.WriteAllText(Path.Combine(_folder.FullName, "trimmed.csproj"), ProjectFile(parts));

    /// <summary>A client and a server that exchange a value in each format.</summary>
    public static TrimmedProject OfFormats()
    {
        var project = new TrimmedProject(new TrimmedParts(
            Sources: "tests/CoAP.NET.Interop.Tests/Trimming/Exchanged*.cs",
            Generator: "CoAP.NET.Formats.Generator",
            Libraries:
            [
                "CoAP.NET.Core", "CoAP.NET", "CoAP.NET.Formats", "CoAP.NET.Formats.MessagePack", "CoAP.NET.Formats.Protobuf", "Google.Protobuf",
                "Microsoft.Extensions.Logging.Abstractions", "Microsoft.Extensions.DependencyInjection.Abstractions",
            ],
            Packages: ["Nerdbank.MessagePack", "PolyType"]));
        File.WriteAllText(Path.Combine(project._folder.FullName, "Program.cs"), Exchange);
        return project;
    }

    /// <summary>The hosted server of the README, with typed handlers.</summary>
    public static TrimmedProject OfHostedServer() => new(new TrimmedParts(
        Sources: "samples/SampleSensors/*.cs",
        Generator: "CoAP.NET.Hosting.Generator",
        Libraries: ["CoAP.NET.Core", "CoAP.NET", "CoAP.NET.Formats", "CoAP.NET.Hosting"],
        Packages: ["Microsoft.Extensions.Hosting", "Microsoft.Extensions.Diagnostics.HealthChecks", "Polly.Core"]));

    /// <summary>Fetches the runtime and the trimmer, which come from NuGet.</summary>
    public Task<Outcome> RestoreAsync() => RunAsync("restore");

    /// <summary>Builds, trims and publishes. Warnings are errors.</summary>
    public Task<Outcome> PublishAsync() => RunAsync("publish", "--no-restore", "-c", "Release", "-o", Path.Combine(_folder.FullName, "published"));

    /// <summary>Runs the published program to its end.</summary>
    public Task<Outcome> RunPublishedAsync() => RunningProgram.RunAsync(Published);

    /// <summary>Starts the published program.</summary>
    public RunningProgram StartPublished(params string[] arguments) => RunningProgram.Start(Published, arguments);

    public void Dispose() => _folder.Delete(recursive: true);

    private string Published => Path.Combine(_folder.FullName, "published", "trimmed");

    private Task<Outcome> RunAsync(string command, params string[] more) =>
        RunningProgram.RunAsync(RunningProgram.LongLife, "env", [.. Dotnet, command, _folder.FullName, .. more]);

    // Without the two properties of the trimmer, all warnings of a library are one, and libraries that are not marked as trimmable have none.
    private static string ProjectFile(TrimmedParts parts) => $"""
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
            <NoWarn>$(NoWarn);CA1050</NoWarn>
            <InterceptorsNamespaces>$(InterceptorsNamespaces);CoAP.Hosting.Generated</InterceptorsNamespaces>
            <UseSharedCompilation>false</UseSharedCompilation>
          </PropertyGroup>
          <ItemGroup>
            <Compile Include="{Path.Combine(Repository.Root, parts.Sources)}" />
            <Analyzer Include="{PathOfGenerator(parts.Generator)}" />
            <Reference Include="{string.Join(';', parts.Libraries.Select(PathOf))}" />
            {string.Concat(parts.Packages.Select(static name => $"<PackageReference Include=\"{name}\" Version=\"{VersionOf(name)}\" />"))}
          </ItemGroup>
        </Project>
        """;

    // The abstractions are a part of ASP.NET Core, which one of the tests' references brings.
    private static string PathOf(string library) => Path.Combine(AppContext.BaseDirectory, library + ".dll") is var path && File.Exists(path)
        ? path
        : System.Reflection.Assembly.Load(library).Location;

    private static string PathOfGenerator(string name)
    {
        var configuration = new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;
        return Path.Combine(Repository.Root, "src", name, "bin", configuration, "netstandard2.0", $"{name}.dll");
    }

    // The version that the repository uses.
    private static string VersionOf(string package)
    {
        var versions = System.Xml.Linq.XDocument.Load(Path.Combine(Repository.Root, "Directory.Packages.props"));
        return versions.Descendants("PackageVersion").Single(one => (string)one.Attribute("Include")! == package).Attribute("Version")!.Value;
    }
}
