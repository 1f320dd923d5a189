using System.Reflection;
using System.Xml.Linq;

namespace CoAP.Packages.Tests;

/// <summary>The documentation in a package is about what users can see, and about all of it. Reflection is the judge.</summary>
[Collection("Packages")]
public sealed class DocumentationTests(PackedPackages packages)
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    public static TheoryData<string> Libraries => [.. Repository.Libraries];

    [Theory, MemberData(nameof(Libraries))]
    public void Only_visible_members_are_documented(string id)
    {
        var visible = Assembly.Load(id).GetExportedTypes().SelectMany(Names).CountBy(static name => name).ToDictionary();

        var hidden = Documented(id).Select(WithoutSignature).CountBy(static name => name).Where(one => one.Value > visible.GetValueOrDefault(one.Key));

        hidden.Should().BeEmpty();
    }

    [Theory, MemberData(nameof(Libraries))]
    public void Each_public_type_is_documented(string id)
    {
        var types = Assembly.Load(id).GetExportedTypes().Where(static type => !type.FullName!.Contains('<')).Select(type => $"T:{NameOf(type)}");

        types.Should().NotBeEmpty().And.BeSubsetOf(Documented(id));
    }

    [Fact]
    public void Members_that_derived_types_need_are_documented() =>
        Documented("CoAP.NET").Should().Contain("M:CoAP.CoapResource.GetAsync(CoAP.IncomingRequest,System.Threading.CancellationToken)");

    private List<string> Documented(string id) =>
        [.. XDocument.Parse(packages[id].Text($"lib/net10.0/{id}.xml")).Descendants("member").Select(static member => member.Attribute("name")!.Value)];

    private static IEnumerable<string> Names(Type type) =>
        type.GetMembers(Declared).Where(IsVisible).Select(member => $"{NameOf(type)}.{member.Name.Replace('.', '#')}").Prepend(NameOf(type));

    private static string NameOf(Type type) => type.FullName!.Replace('+', '.');

    private static bool IsVisible(MemberInfo member) => member switch
    {
        MethodBase method => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly,
        FieldInfo field => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly,
        PropertyInfo property => property.GetAccessors(nonPublic: true).Any(IsVisible),
        EventInfo handler => IsVisible(handler.AddMethod!),
        _ => false, // nested types stand for themselves
    };

    private static string WithoutSignature(string name)
    {
        var end = name.IndexOfAny(['(', '~']);
        var full = end < 0 ? name : name[..end];
        var generic = full.IndexOf("``", StringComparison.Ordinal);
        return (generic < 0 ? full : full[..generic])[2..];
    }
}
