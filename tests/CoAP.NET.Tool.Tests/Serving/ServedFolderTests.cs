using CoAP.Tool.Serving;

namespace CoAP.Tool.Tests.Serving;

public sealed class ServedFolderTests : IDisposable
{
    private readonly TemporaryFolder _outside = new();
    private readonly TemporaryFolder _folder = new();

    public ServedFolderTests()
    {
        _outside.Write("secret.txt", "secret");
        _folder.Write("a.txt", "a");
        _folder.Write("sub/b.txt", "b");
        _folder.Write(".hidden/c.txt", "c");
    }

    public void Dispose()
    {
        _outside.Dispose();
        _folder.Dispose();
    }

    [Theory]
    [InlineData("a.txt", "a.txt")]
    [InlineData("sub/b.txt", "sub", "b.txt")]
    [InlineData("sub", "sub", "")]
    [InlineData("sub/new.txt", "sub", "new.txt")]
    [InlineData("%2e%2e", "%2e%2e")]
    public void A_segment_is_a_name(string expected, params string[] segments)
    {
        new ServedFolder(_folder.Path).TryLocate(segments, out var path).Should().BeTrue();

        path.Should().Be(_folder[expected]);
    }

    [Theory]
    [InlineData("..")]
    [InlineData("sub", "..", "..", "secret.txt")]
    [InlineData(".")]
    [InlineData("../secret.txt")]
    [InlineData("sub/b.txt")]
    [InlineData("/etc/passwd")]
    [InlineData("", "etc", "passwd")]
    [InlineData("sub", "", "b.txt")]
    [InlineData("a.txt\0.png")]
    [InlineData(".hidden")]
    [InlineData(".hidden", "c.txt")]
    [InlineData("\uFFFD")]
    public void No_path_leads_out_or_to_a_hidden_file(params string[] segments) =>
        new ServedFolder(_folder.Path).TryLocate(segments, out _).Should().BeFalse();

    [SkippableTheory]
    [InlineData("absolute", null)]
    [InlineData("relative", null)]
    [InlineData("indirect", null)]
    [InlineData("folder", null)]
    [InlineData("hidden", null)]
    [InlineData("circle", null)]
    [InlineData("inside", "sub/b.txt")]
    public void A_symbolic_link_is_followed_only_inside(string link, string? expected)
    {
        Skip.If(OperatingSystem.IsWindows(), "Symbolic links need a privilege on Windows.");
        File.CreateSymbolicLink(_folder["absolute"], _outside["secret.txt"]);
        File.CreateSymbolicLink(_folder["relative"], $"../{Path.GetFileName(_outside.Path)}/secret.txt");
        Directory.CreateSymbolicLink(_folder["folder"], _outside.Path);
        File.CreateSymbolicLink(_folder["indirect"], "sub/../folder/secret.txt");
        File.CreateSymbolicLink(_folder["hidden"], ".hidden/c.txt");
        File.CreateSymbolicLink(_folder["circle"], "circle");
        File.CreateSymbolicLink(_folder["inside"], "sub/b.txt");

        var isFound = new ServedFolder(_folder.Path).TryLocate(link == "folder" ? [link, "secret.txt"] : [link], out var path);

        isFound.Should().Be(expected is not null);
        path.Should().Be(expected is null ? null : _folder[expected]);
    }

    [Fact]
    public void A_missing_folder_is_an_error() =>
        FluentActions.Invoking(() => new ServedFolder(_folder["none"])).Should().Throw<DirectoryNotFoundException>().WithMessage("*none*");
}
