namespace CoAP.Packages.Tests;

/// <summary>What watches over the public surface watches over each package.</summary>
public sealed class BaselineTests
{
    public static TheoryData<string> Libraries => [.. Repository.Libraries];

    [Theory, MemberData(nameof(Libraries))]
    public void Each_library_has_a_package_to_be_compared_with(string id) =>
        File.Exists(Path.Combine(Repository.Root, "packaging", "baseline", $"{id}.nupkg")).Should().BeTrue("packaging/renew-baseline writes it");

    [Theory, MemberData(nameof(Libraries))]
    public void The_public_surface_of_each_library_is_listed(string id) =>
        File.ReadAllLines(Path.Combine(Repository.Root, "src", id, "PublicAPI.Unshipped.txt")).Length.Should().BeGreaterThan(1, "packaging/renew-public-api writes it");
}
