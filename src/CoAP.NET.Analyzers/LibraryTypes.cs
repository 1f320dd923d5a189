using Microsoft.CodeAnalysis;

namespace CoAP.Analyzers;

/// <summary>The types of the library and of .NET that the analyzers know.</summary>
internal sealed class LibraryTypes
{
    /// <summary>The names of the assemblies of the library.</summary>
    internal static readonly HashSet<string> Assemblies =
    [
        "CoAP.NET.Core", "CoAP.NET", "CoAP.NET.AspNetCore", "CoAP.NET.Dtls", "CoAP.NET.Formats", "CoAP.NET.Formats.MessagePack",
        "CoAP.NET.Formats.Protobuf", "CoAP.NET.Hosting", "CoAP.NET.Testing",
    ];

    private readonly INamedTypeSymbol? _asyncSequence;

    private LibraryTypes(Compilation compilation, INamedTypeSymbol sender)
    {
        Sender = sender;
        Server = compilation.GetTypeByMetadataName("CoAP.CoapServer");
        Resource = compilation.GetTypeByMetadataName("CoAP.CoapResource");
        Authorizer = compilation.GetTypeByMetadataName("CoAP.Authorizer");
        HandlerMode = compilation.GetTypeByMetadataName("CoAP.HandlerMode");
        InlineTarget = compilation.GetTypeByMetadataName("CoAP.InlineTarget`1");
        _asyncSequence = compilation.GetTypeByMetadataName("System.Collections.Generic.IAsyncEnumerable`1");
    }

    /// <summary>What sends requests: clients and channels.</summary>
    public INamedTypeSymbol Sender { get; }

    public INamedTypeSymbol? Server { get; }

    /// <summary>The base class of resources.</summary>
    public INamedTypeSymbol? Resource { get; }

    public INamedTypeSymbol? Authorizer { get; }

    public INamedTypeSymbol? HandlerMode { get; }

    /// <summary>The base class of stages.</summary>
    public INamedTypeSymbol? InlineTarget { get; }

    /// <summary>Finds the types; <see langword="null"/> if the compilation does not use the library.</summary>
    public static LibraryTypes? Of(Compilation compilation) =>
        compilation.GetTypeByMetadataName("CoAP.IRequestSender") is { } sender ? new(compilation, sender) : null;

    /// <summary>Whether a method belongs to the library or one of its packages.</summary>
    public static bool IsOfLibrary(IMethodSymbol method) => method.ContainingAssembly is { } assembly && Assemblies.Contains(assembly.Name);

    /// <summary>Whether a type is a task, with or without a result.</summary>
    public static bool IsTask(ITypeSymbol type) => type.Name is "Task" or "ValueTask" && type.ContainingNamespace?.ToDisplayString() == "System.Threading.Tasks";

    public bool IsAsyncSequence(ITypeSymbol type) => _asyncSequence is not null && Implements(type, _asyncSequence);

    /// <summary>Whether a type is another one, derives from it or implements it.</summary>
    public static bool Is(ITypeSymbol? type, INamedTypeSymbol? other)
    {
        if (type is null || other is null) { return false; }
        for (var current = type; current is not null; current = current.BaseType)
        {
            if (SymbolEqualityComparer.Default.Equals(current.OriginalDefinition, other)) { return true; }
        }
        return Implements(type, other);
    }

    private static bool Implements(ITypeSymbol type, INamedTypeSymbol contract) =>
        SymbolEqualityComparer.Default.Equals(type.OriginalDefinition, contract)
        || type.AllInterfaces.Any(one => SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, contract));
}
