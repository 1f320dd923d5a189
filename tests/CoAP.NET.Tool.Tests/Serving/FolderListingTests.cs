using CoAP.Testing;
using CoAP.Tool.Serving;

namespace CoAP.Tool.Tests.Serving;

public sealed class FolderListingTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly ManualClock _time = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_folders_are_read_once_per_second_however_often_the_list_is_asked_for()
    {
        var cut = new FolderListing(new ServedFolder(_folder.Path), _time);
        _folder.Write("a", "");
        var first = cut.OfTree();
        _folder.Write("b", "");

        _time.Advance(TimeSpan.FromMilliseconds(999));
        cut.OfTree().Should().BeSameAs(first);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        cut.OfTree().Links.Should().HaveCount(2);
    }

    // Anyone can ask for the list with a datagram of a few bytes.
    [Fact]
    public void A_folder_is_read_once_per_second_unless_its_names_change()
    {
        var cut = new FolderListing(new ServedFolder(_folder.Path), _time);
        _folder.Write("a", "");
        var first = cut.Of(_folder.Path);
        _folder.Write("a", "longer");

        _time.Advance(TimeSpan.FromMilliseconds(999));
        cut.Of(_folder.Path).Should().BeSameAs(first);
        cut.Of(_folder.Path).Text.Should().BeSameAs(first.Text);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        cut.Of(_folder.Path).Links.Single().Size.Should().Be(6);
        _folder.Write("b", "");
        Directory.SetLastWriteTimeUtc(_folder.Path, DateTime.UnixEpoch);
        cut.Of(_folder.Path).Links.Should().HaveCount(2, "observers are notified of a new name at once");
    }

    [Fact]
    public void The_lists_of_large_folders_are_bounded()
    {
        var cut = new FolderListing(new ServedFolder(_folder.Path), _time);
        var large = Directory.CreateDirectory(_folder["large"]).FullName;
        for (var file = 0; file < FolderListing.MaxLinks; file++) { File.WriteAllBytes(Path.Combine(large, $"{file}"), []); }
        string[] folders = [.. Enumerable.Range(0, 25).Select(number => _folder[$"{number:00}"])];
        foreach (var path in folders) { Directory.CreateSymbolicLink(path, large); }

        var lists = folders.Select(cut.Of).ToArray();

        cut.Of(folders[^1]).Should().BeSameAs(lists[^1]);
        cut.Of(folders[0]).Should().NotBeSameAs(lists[0], "20 lists of 1,000 links are kept");
    }
}
