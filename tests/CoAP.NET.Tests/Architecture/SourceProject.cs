using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Tests.Architecture;

/// <summary>The parsed sources of a project and their compilation. All architecture tests share them.</summary>
internal sealed class SourceProject
{
    private const string ImplicitUsings =
        "global using System; global using System.IO; global using System.Linq; global using System.Net.Http; " +
        "global using System.Threading; global using System.Threading.Tasks; global using System.Collections.Generic;";

    private static readonly CSharpParseOptions Options = new(LanguageVersion.Preview);
    private static readonly ConcurrentDictionary<string, Lazy<SourceProject>> Projects = new();

    // What the tests run with has everything that the projects refer to.
    private static readonly Lazy<IReadOnlyList<PortableExecutableReference>> Metadata = new(static () =>
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ]);

    private readonly Lazy<CSharpCompilation> _compilation;

    private SourceProject(string name, IEnumerable<(string File, string Text)> sources)
    {
        Trees = sources.AsParallel().AsOrdered()
            .ToDictionary(static one => one.File, static one => CSharpSyntaxTree.ParseText(one.Text, Options, one.File));
        _compilation = new(() => Compile(name));
    }

    /// <summary>The folders of the shipped projects, such as "src/CoAP.NET".</summary>
    public static IReadOnlyList<string> Shipped { get; } =
        [.. SourceTree.Files("src").Select(static file => string.Join('/', file.Split('/')[..2])).Distinct()];

    /// <summary>The trees by their file, with the path relative to the project.</summary>
    public IReadOnlyDictionary<string, SyntaxTree> Trees { get; }

    public CSharpCompilation Compilation => _compilation.Value;

    /// <param name="project">The folder of the project, such as "src/CoAP.NET".</param>
    public static SourceProject Of(string project) => Projects.GetOrAdd(project, static project => new(() => Read(project))).Value;

    /// <summary>Parses sources that are not files of the repository.</summary>
    public static SourceProject Parse(params IEnumerable<(string File, string Text)> sources) => new("Sources", sources);

    private static SourceProject Read(string project) => new(
        Path.GetFileName(project),
        SourceTree.Files(project).Select(file => (file[(project.Length + 1)..], File.ReadAllText(Path.Combine(SourceTree.Root, file)))));

    // The project itself is compiled from its sources.
    private CSharpCompilation Compile(string name) => CSharpCompilation.Create(
        name,
        Trees.Values.Append(CSharpSyntaxTree.ParseText(ImplicitUsings, Options)),
        Metadata.Value.Where(one => Path.GetFileNameWithoutExtension(one.FilePath) != name),
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
}
