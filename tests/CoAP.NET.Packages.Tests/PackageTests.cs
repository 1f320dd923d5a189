using System.Buffers.Binary;
using System.Text.RegularExpressions;

namespace CoAP.Packages.Tests;

/// <summary>What users read about a package before they take it, and what they get with it.</summary>
[Collection("Packages")]
public sealed partial class PackageTests(PackedPackages packages)
{
    public static TheoryData<string> All => [.. Repository.Packages];

    public static TheoryData<string> Libraries => [.. Repository.Libraries];

    [Theory, MemberData(nameof(All))]
    public void The_version_is_the_first_heading_of_the_changelog(string id)
    {
        var heading = Repository.Read("CHANGELOG.md").Split('\n').First(static line => line.StartsWith("## ", StringComparison.Ordinal)).Split(' ');

        packages[id].Value("version").Should().Be(heading[2] == "(unreleased)" ? heading[1] + "-dev" : heading[1]);
    }

    [Theory]
    [InlineData("README.md")]
    [InlineData("docs/getting-started.md")]
    [InlineData("docs/tool.md")]
    public void Pages_install_the_version_of_the_changelog(string page)
    {
        var versions = InstalledVersion().Matches(Repository.Read(page)).Select(static match => match.Groups[1].Value);

        versions.Should().NotBeEmpty().And.AllBe(packages["CoAP.NET"].Value("version"));
    }

    [Theory, MemberData(nameof(All))]
    public void A_package_says_what_it_is_for(string id)
    {
        var package = packages[id];

        package.Value("title").Should().NotBeEmpty().And.NotBe(id);
        package.Value("description").Should().NotBe("Package Description").And.EndWith(".");
        package.Value("tags").Split(' ').Should().Contain(["coap", "iot"]).And.HaveCountGreaterThan(4).And.OnlyHaveUniqueItems();
        package.Value("projectUrl").Should().Be(PackedPackages.RepositoryUrl);
        package.Value("license").Should().Be("MIT");
    }

    [Theory, MemberData(nameof(All))]
    public void The_release_notes_are_the_section_of_the_changelog(string id)
    {
        var section = Repository.Read("CHANGELOG.md").Split("\n## ")[1];

        packages[id].Value("releaseNotes").Should().Be(section[(section.IndexOf('\n', StringComparison.Ordinal) + 1)..].Trim());
    }

    [Theory, MemberData(nameof(All))]
    public void The_icon_is_a_PNG_of_128_pixels(string id)
    {
        var icon = packages[id].Bytes(packages[id].Value("icon"));

        icon[..8].Should().Equal(0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A);
        (BinaryPrimitives.ReadInt32BigEndian(icon.AsSpan(16)), BinaryPrimitives.ReadInt32BigEndian(icon.AsSpan(20))).Should().Be((128, 128));
    }

    [Theory, MemberData(nameof(All))]
    public void The_page_is_about_this_package_and_has_no_relative_links(string id)
    {
        var page = packages[id].Text(packages[id].Value("readme"));

        page.Should().StartWith($"# {id}\n").And.Contain($"{PackedPackages.RepositoryUrl}/blob/v").And.Contain("```");
        Link().Matches(page).Should().OnlyContain(static link => link.Value.StartsWith("](https://", StringComparison.Ordinal));
    }

    [Theory, MemberData(nameof(Libraries))]
    public void Packages_of_the_library_ask_for_exactly_their_version(string id)
    {
        var own = packages[id].Dependencies.Where(static one => one.Attribute("id")!.Value.StartsWith("CoAP.NET", StringComparison.Ordinal));

        own.Select(static one => one.Attribute("version")!.Value).Should().AllBe($"[{packages[id].Value("version")}]");
    }

    [Theory, MemberData(nameof(Libraries))]
    public void Generators_come_with_the_packages_above_theirs_too(string id)
    {
        var own = packages[id].Dependencies.Where(static one => one.Attribute("id")!.Value.StartsWith("CoAP.NET", StringComparison.Ordinal));

        own.Where(static one => one.Attribute("exclude") is not null).Should().BeEmpty();
    }

    [Theory]
    [InlineData("CoAP.NET", "CoAP.NET.Analyzers")]
    [InlineData("CoAP.NET.Formats", "CoAP.NET.Formats.Generator")]
    [InlineData("CoAP.NET.Hosting", "CoAP.NET.Hosting.Generator")]
    public void A_package_contains_what_the_compiler_runs(string id, string assembly) =>
        packages[id].Files.Should().Contain($"analyzers/dotnet/cs/{assembly}.dll");

    [Theory, MemberData(nameof(Libraries))]
    public void A_package_has_one_assembly_and_its_documentation(string id) =>
        packages[id].Files.Where(static file => file.StartsWith("lib/", StringComparison.Ordinal)).Should().BeEquivalentTo($"lib/net10.0/{id}.dll", $"lib/net10.0/{id}.xml");

    [GeneratedRegex(@"--version (\d\S+)")]
    private static partial Regex InstalledVersion();

    [GeneratedRegex(@"\]\([^)]+")]
    private static partial Regex Link();
}
