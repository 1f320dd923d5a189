using System.Xml.Linq;

namespace CoAP.Packaging;

/// <summary>XML documentation without the types and members that users cannot see.</summary>
internal static class VisibleDocumentation
{
    /// <summary>Removes the other members from a document.</summary>
    /// <param name="document">The documentation of an assembly, as the compiler wrote it.</param>
    /// <param name="visible">The IDs of the types and members that stay.</param>
    /// <exception cref="InvalidDataException">What stays refers to something that is removed.</exception>
    public static void Keep(XDocument document, IReadOnlySet<string> visible)
    {
        var members = document.Root!.Element("members")!;
        var hidden = members.Elements("member").Where(member => !visible.Contains(NameOf(member))).ToList();
        var names = hidden.Select(NameOf).ToHashSet(StringComparer.Ordinal);
        foreach (var member in hidden)
        {
            if (member.PreviousNode is XText space) { space.Remove(); }
            member.Remove();
        }
        var dead = members.Descendants().Attributes("cref").Where(cref => names.Contains(cref.Value))
            .Select(cref => $"{NameOf(cref.Parent!.AncestorsAndSelf("member").Single())} refers to {cref.Value}").Order(StringComparer.Ordinal).ToList();
        if (dead.Count > 0)
        {
            throw new InvalidDataException($"Users cannot see what {dead.Count} references of the documentation name: {string.Join("; ", dead)}.");
        }
    }

    private static string NameOf(XElement member) => member.Attribute("name")!.Value;
}
