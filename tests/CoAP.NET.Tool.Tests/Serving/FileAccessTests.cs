using CoAP.Tool.Serving;

namespace CoAP.Tool.Tests.Serving;

public sealed class FileAccessTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Short_files_of_equal_size_and_time_have_different_tags()
    {
        var (one, other) = (_folder.Write("a", "one"), _folder.Write("b", "two"));
        File.SetLastWriteTimeUtc(other, File.GetLastWriteTimeUtc(one));

        ServedFile.TagOf(one).Should().NotBe(ServedFile.TagOf(other));
        File.WriteAllText(other, "one");
        File.SetLastWriteTimeUtc(other, File.GetLastWriteTimeUtc(one));
        ServedFile.TagOf(one).Should().Be(ServedFile.TagOf(other));
    }

    [Fact]
    public async Task An_upload_that_fails_leaves_the_old_file_and_nothing_else()
    {
        var path = _folder.Write("a.txt", "old");

        var upload = () => Upload.ReplaceAsync(path, new BrokenStream(), default);

        await upload.Should().ThrowAsync<IOException>();
        Directory.GetFileSystemEntries(_folder.Path).Should().Equal(path);
        (await File.ReadAllTextAsync(path)).Should().Be("old");
    }

    [Fact]
    public async Task Two_uploads_of_equal_size_have_different_times()
    {
        var path = _folder["a.bin"];
        var times = new HashSet<DateTime>();
        for (var count = 1; count <= 20; count++)
        {
            await Upload.ReplaceAsync(path, new MemoryStream(new byte[10_000]), default);
            times.Add(File.GetLastWriteTimeUtc(path));
        }

        times.Should().HaveCount(20);
    }

    [Fact]
    public void A_file_that_changes_while_it_is_read_is_an_error()
    {
        var path = _folder.Write("a.txt", new string('a', 100));
        using var cut = new UnchangedStream(path, 100, File.GetLastWriteTimeUtc(path));

        cut.ReadExactly(new byte[50]);
        File.AppendAllText(path, "b");

        FluentActions.Invoking(() => cut.ReadByte()).Should().Throw<IOException>().WithMessage("*changed*");
    }

    private sealed class BrokenStream : MemoryStream
    {
        public override Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
        {
            destination.WriteByte(1);
            throw new IOException("broken");
        }
    }
}
