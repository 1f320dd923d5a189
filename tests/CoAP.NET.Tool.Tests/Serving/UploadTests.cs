using CoAP.Testing;
using CoAP.Tool.Serving;

namespace CoAP.Tool.Tests.Serving;

public sealed class UploadTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(1024L), InlineData(null)]
    public void What_a_killed_server_has_left_is_deleted_by_the_next_one_that_may_write(long? maxUpload)
    {
        var other = new[] { _folder.Write("a.txt", "a"), _folder.Write(".hidden", "b"), _folder.Write("coap-upload-a", "c"),
            _folder.Write("in/b", "d") };
        var left = new[] { _folder.Write(".coap-upload-one", "half"), _folder.Write("in/.coap-upload-two", "") };

        StartServer(maxUpload);

        other.Should().OnlyContain(path => File.Exists(path));
        left.Should().OnlyContain(path => File.Exists(path) == (maxUpload == null));
    }

    [Fact]
    public void The_upload_of_another_server_and_the_target_of_a_link_stay()
    {
        using var outside = new TemporaryFolder();
        var target = outside.Write(".coap-upload-target", "x");
        Directory.CreateSymbolicLink(_folder["link"], Path.GetDirectoryName(target)!);
        File.CreateSymbolicLink(_folder[".coap-upload-link"], target);
        var running = _folder[".coap-upload-running"];
        using var upload = new FileStream(running, FileMode.CreateNew, FileAccess.Write, FileShare.None);

        StartServer(maxUpload: 1024);

        File.Exists(target).Should().BeTrue();
        File.Exists(running).Should().BeTrue();
    }

    private void StartServer(long? maxUpload)
    {
        var time = new ManualClock();
        using var server = new CoapServer();
        new FileServer(new ServedFolder(_folder.Path), new WatchedFiles(time), time).Map(server.Resources, maxUpload);
    }
}
