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
        cut.OfTree().Should().HaveCount(2);
    }
}
