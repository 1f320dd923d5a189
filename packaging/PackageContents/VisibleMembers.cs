using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Packaging;

/// <summary>The types and members of an assembly that other assemblies can use or override.</summary>
internal static class VisibleMembers
{
    /// <summary>Returns their IDs in XML documentation.</summary>
    /// <param name="assembly">The file of the assembly.</param>
    /// <param name="references">The files of the assemblies that it was compiled against.</param>
    public static IReadOnlySet<string> Of(string assembly, IEnumerable<string> references)
    {
        var subject = MetadataReference.CreateFromFile(assembly);
        var compilation = CSharpCompilation.Create("visible", references: [subject, .. references.Select(file => MetadataReference.CreateFromFile(file))]);
        var ids = new HashSet<string>(StringComparer.Ordinal);
        Add(((IAssemblySymbol)compilation.GetAssemblyOrModuleSymbol(subject)!).GlobalNamespace, ids);
        return ids;
    }

    private static void Add(INamespaceOrTypeSymbol parent, HashSet<string> ids)
    {
        foreach (var member in parent.GetMembers())
        {
            if (member is not INamespaceSymbol && !IsVisible(member)) { continue; }
            if (member.GetDocumentationCommentId() is { } id) { ids.Add(id); }
            if (member is INamespaceOrTypeSymbol inner) { Add(inner, ids); }
        }
    }

    private static bool IsVisible(ISymbol member) =>
        member.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal;
}
