using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using CoAP.Discovery;
using CoAP.Options;
using CoAP.Tool.Serving;

namespace CoAP.Tool.Tests.Serving;

public sealed class FileServerTests : IAsyncDisposable
{
    private const string Root = "coap://files";

    private readonly TemporaryFolder _folder = new();
    private readonly InMemoryNetwork _network = new();
    private readonly CoapClient _client;
    private CoapServer? _server;

    public FileServerTests() => _client = new CoapClient(new CoapClientSettings { Network = _network });

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        if (_server is not null) { await _server.DisposeAsync(); }
        _folder.Dispose();
    }

    [Theory]
    [InlineData("a.json", ContentFormats.Json)]
    [InlineData("a.cbor", ContentFormats.Cbor)]
    [InlineData("a.xml", ContentFormats.Xml)]
    [InlineData("A.TXT", ContentFormats.TextPlain)]
    [InlineData("a.wlnk", ContentFormats.LinkFormat)]
    [InlineData("a.senml+json", ContentFormats.SenmlJson)]
    [InlineData("a.senml", ContentFormats.SenmlJson)]
    [InlineData("a.firmware", ContentFormats.OctetStream)]
    [InlineData("living room", ContentFormats.OctetStream)]
    public async Task The_extension_selects_the_content_format(string file, uint expected)
    {
        _folder.Write(file, "content");
        Serve();

        var response = await _client.GetAsync($"{Root}/{Uri.EscapeDataString(file)}");

        (response.Code, response.ContentFormat, response.PayloadText).Should().Be((ResponseCode.Content, expected, "content"));
    }

    [Fact]
    public async Task Private_keys_are_hidden()
    {
        _folder.Write("server.key", "secret");
        Serve();

        (await _client.GetAsync($"{Root}/server.key")).Code.Should().Be(ResponseCode.NotFound);
        (await _client.GetAsync($"{Root}/")).PayloadText.Should().NotContain("key");
    }

    [Theory]
    [InlineData("server.pem", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nMIIE\n")]
    [InlineData("server.crt", "Bag Attributes\r\n-----BEGIN RSA PRIVATE KEY-----\r\nMIIE\r\n")]
    [InlineData("id_ed25519", "-----BEGIN OPENSSH PRIVATE KEY-----\n")]
    [InlineData("store.p12", "x")]
    [InlineData("STORE.PFX", "x")]
    public async Task A_file_with_a_private_key_is_neither_read_nor_replaced_nor_deleted(string file, string content)
    {
        _folder.Write(file, content);
        Serve(maxUpload: 100);

        (await _client.GetAsync($"{Root}/{file}")).Code.Should().Be(ResponseCode.NotFound);
        (await SendAsync(RequestCode.Put, file, "x")).Code.Should().Be(ResponseCode.Forbidden);
        (await SendAsync(RequestCode.Delete, file)).Code.Should().Be(ResponseCode.Forbidden);
        (await File.ReadAllTextAsync(_folder[file])).Should().Be(content);
    }

    [Fact]
    public async Task A_certificate_is_served_and_one_with_its_key_is_not_listed()
    {
        _folder.Write("ca.pem", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\nNo PRIVATE KEY is here.\n");
        _folder.Write("server.pem", "-----BEGIN EC PRIVATE KEY-----\n");
        Serve();

        (await _client.GetAsync($"{Root}/ca.pem")).Code.Should().Be(ResponseCode.Content);
        (await _client.GetAsync($"{Root}/")).PayloadText.Should().Contain("ca.pem").And.NotContain("server.pem");
    }

    [SkippableFact]
    public async Task A_pipe_or_socket_is_neither_replaced_nor_deleted()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "The call is one of Linux.");
        _folder.MakePipe("pipe");
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(_folder["socket"]));
        _folder.Write("empty", "");
        Serve(maxUpload: 100);

        foreach (var name in new[] { "pipe", "socket" })
        {
            (await SendAsync(RequestCode.Put, name, "x")).Code.Should().Be(ResponseCode.Forbidden);
            (await SendAsync(RequestCode.Delete, name)).Code.Should().Be(ResponseCode.Forbidden);
            SpecialFile.IsAt(_folder[name]).Should().BeTrue();
        }
        (await SendAsync(RequestCode.Put, "empty", "x")).Code.Should().Be(ResponseCode.Changed);
        SpecialFile.IsAt("/dev/null").Should().BeTrue();
    }

    [Fact]
    public async Task A_path_that_ends_in_a_slash_names_no_file_to_delete()
    {
        _folder.Write("a.txt", "content");
        Serve(maxUpload: 100);

        var response = await SendAsync(RequestCode.Delete, "a.txt/");

        response.Code.Should().Be(ResponseCode.MethodNotAllowed);
        File.Exists(_folder["a.txt"]).Should().BeTrue();
    }

    [Fact]
    public async Task A_symbolic_link_is_not_deleted()
    {
        File.CreateSymbolicLink(_folder["link.txt"], _folder.Write("a.txt", "content"));
        Serve(maxUpload: 100);

        var response = await SendAsync(RequestCode.Delete, "link.txt");

        response.Code.Should().Be(ResponseCode.Forbidden);
        File.Exists(_folder["a.txt"]).Should().BeTrue();
    }

    [Fact]
    [Trait("RFC", "7252 5.10.4")]
    public async Task A_format_that_the_file_does_not_have_is_refused_even_if_the_tag_is_current()
    {
        _folder.Write("a.json", "{}");
        Serve();
        var tag = (await _client.GetAsync($"{Root}/a.json")).Options.Get<ETag>()!;

        (await SendAsync(RequestCode.Get, "a.json", null, tag, new Accept(ContentFormats.Cbor))).Code.Should().Be(ResponseCode.NotAcceptable);
    }

    [Fact]
    public async Task A_compressed_body_is_refused()
    {
        Serve(maxUpload: 100);

        var response = await SendAsync(RequestCode.Put, "a.json", "x", new ContentFormat(ContentFormats.JsonDeflate));

        response.Code.Should().Be(ResponseCode.UnsupportedContentFormat);
    }

    [Fact]
    public async Task An_unfinished_download_keeps_no_file_open()
    {
        await File.WriteAllBytesAsync(_folder["large.bin"], new byte[300_000]);
        Serve();

        var first = await SendAsync(RequestCode.Get, "large.bin", null, new Block2(0, false, 6));

        first.Options.Get<Block2>()!.HasMore.Should().BeTrue();
        using var exclusive = new FileStream(_folder["large.bin"], FileMode.Open, FileAccess.ReadWrite, FileShare.None);
    }

    [Fact]
    public async Task A_large_file_arrives_in_blocks()
    {
        var content = RandomNumberGenerator.GetBytes(300_000);
        await File.WriteAllBytesAsync(_folder["large.bin"], content);
        Serve();

        var response = await _client.GetAsync($"{Root}/large.bin");

        response.Payload.ToArray().Should().Equal(content);
        response.Options.Get<ETag>().Should().Be(ServedFile.TagOf(_folder["large.bin"]));
    }

    [Fact]
    [Trait("RFC", "7252 5.10.6")]
    public async Task A_client_with_the_current_tag_gets_2_03()
    {
        _folder.Write("a.txt", "one");
        Serve();
        var tag = (await _client.GetAsync($"{Root}/a.txt")).Options.Get<ETag>()!;

        (await SendAsync(RequestCode.Get, "a.txt", null, tag)).Code.Should().Be(ResponseCode.Valid);
        _folder.Write("a.txt", "two");
        var changed = await SendAsync(RequestCode.Get, "a.txt", null, tag);

        (changed.Code, changed.PayloadText).Should().Be((ResponseCode.Content, "two"));
    }

    [Theory]
    [InlineData("none.txt", "4.04")]
    [InlineData("a.txt/", "4.04")]
    [InlineData(".hidden.txt", "4.04")]
    [InlineData("%2Fetc%2Fpasswd", "4.04")]
    [InlineData("..%2Fa.txt", "4.04")]
    [InlineData("a.txt%00", "4.04")]
    [InlineData("empty.txt", "2.05")]
    public async Task Other_paths_are_not_found(string path, string expected)
    {
        _folder.Write("a.txt", "a");
        _folder.Write(".hidden.txt", "h");
        _folder.Write("empty.txt", "");
        Serve();

        (await _client.GetAsync($"{Root}/{path}")).Code.ToString().Should().Be(expected);
    }

    [Fact]
    public async Task Another_accepted_format_gets_4_06()
    {
        _folder.Write("a.txt", "a");
        Serve();

        (await SendAsync(RequestCode.Get, "a.txt", null, new Accept(ContentFormats.Json))).Code.Should().Be(ResponseCode.NotAcceptable);
        (await SendAsync(RequestCode.Get, "a.txt", null, new Accept(ContentFormats.TextPlain))).Code.Should().Be(ResponseCode.Content);
    }

    [Fact]
    public async Task Folders_are_lists_of_links()
    {
        _folder.Write("b.txt", "12345");
        _folder.Write("sub dir/c.json", "{}");
        _folder.Write(".hidden.txt", "h");
        Serve();

        (await _client.GetAsync(Root)).PayloadText.Should().Be("</b.txt>;ct=0;sz=5;obs,</sub%20dir/>;ct=40");
        (await _client.GetAsync($"{Root}/sub%20dir/")).PayloadText.Should().Be("</sub%20dir/c.json>;ct=50;sz=2;obs");
        (await _client.GetAsync($"{Root}/.well-known/core")).PayloadText.Should().Be("</b.txt>;ct=0;sz=5;obs,</sub%20dir/c.json>;ct=50;sz=2;obs");
        (await _client.GetAsync($"{Root}/.well-known/core?ct=50")).PayloadText.Should().StartWith("</sub%20dir/c.json>");
    }

    [Fact]
    public async Task A_long_list_is_cut()
    {
        foreach (var number in Enumerable.Range(0, FolderListing.MaxLinks + 5)) { _folder.Write($"{number:0000}", ""); }
        Serve();

        var links = LinkFormat.Parse((await _client.GetAsync($"{Root}/.well-known/core")).Payload.Span);

        links.Should().HaveCount(FolderListing.MaxLinks);
        links[^1].Target.Should().Be($"/{FolderListing.MaxLinks - 1:0000}");
    }

    [Fact]
    public async Task Changes_without_permission_are_refused()
    {
        _folder.Write("a.txt", "a");
        Serve();

        (await SendAsync(RequestCode.Put, "a.txt", "b")).Code.Should().Be(ResponseCode.MethodNotAllowed);
        (await SendAsync(RequestCode.Delete, "a.txt")).Code.Should().Be(ResponseCode.MethodNotAllowed);
        (await File.ReadAllTextAsync(_folder["a.txt"])).Should().Be("a");
    }

    [Fact]
    public async Task Put_creates_and_replaces_files_and_delete_removes_them()
    {
        Serve(maxUpload: 1000);

        (await SendAsync(RequestCode.Put, "a.txt", "one")).Code.Should().Be(ResponseCode.Created);
        var changed = await SendAsync(RequestCode.Put, "a.txt", "two");
        (changed.Code, await File.ReadAllTextAsync(_folder["a.txt"])).Should().Be((ResponseCode.Changed, "two"));
        changed.Options.Get<ETag>().Should().Be((await _client.GetAsync($"{Root}/a.txt")).Options.Get<ETag>());
        (await SendAsync(RequestCode.Delete, "a.txt")).Code.Should().Be(ResponseCode.Deleted);
        (await SendAsync(RequestCode.Delete, "a.txt")).Code.Should().Be(ResponseCode.Deleted);
        Directory.GetFileSystemEntries(_folder.Path).Should().BeEmpty();
    }

    [Theory]
    [InlineData("sub", "4.05")]
    [InlineData("none/a.txt", "4.04")]
    [InlineData(".hidden", "4.03")]
    [InlineData("large.bin", "4.13")]
    public async Task Put_refuses_what_is_not_a_file_of_the_folder(string path, string expected)
    {
        _folder.Write("sub/a.txt", "a");
        Serve(maxUpload: 1000);

        var response = await SendAsync(RequestCode.Put, path, path == "large.bin" ? new string('x', 5000) : "x");

        response.Code.ToString().Should().Be(expected);
        Directory.GetFileSystemEntries(_folder.Path).Should().Equal(_folder["sub"]);
    }

    [Fact]
    [Trait("RFC", "7252 5.10.8")]
    public async Task Conditions_protect_a_file()
    {
        _folder.Write("a.txt", "one");
        Serve(maxUpload: 1000);
        var tag = (await _client.GetAsync($"{Root}/a.txt")).Options.Get<ETag>()!;

        (await SendAsync(RequestCode.Put, "a.txt", "two", new IfNoneMatch())).Code.Should().Be(ResponseCode.PreconditionFailed);
        (await SendAsync(RequestCode.Put, "a.txt", "two", new IfMatch(tag.Value))).Code.Should().Be(ResponseCode.Changed);
        (await SendAsync(RequestCode.Put, "a.txt", "six", new IfMatch(tag.Value))).Code.Should().Be(ResponseCode.PreconditionFailed);
        (await SendAsync(RequestCode.Delete, "a.txt", null, new IfMatch(tag.Value))).Code.Should().Be(ResponseCode.PreconditionFailed);
        (await File.ReadAllTextAsync(_folder["a.txt"])).Should().Be("two");
    }

    [Fact]
    public async Task Observers_see_uploads_changes_on_disk_and_the_end()
    {
        _folder.Write("a.txt", "one");
        var files = Serve(maxUpload: 1000);
        var seen = new List<string>();

        await foreach (var notification in _client.ObserveAsync($"{Root}/a.txt"))
        {
            seen.Add(notification.Response.IsSuccess ? notification.Response.PayloadText : $"{notification.Response.Code}");
            switch (seen.Count)
            {
                case 1: await SendAsync(RequestCode.Put, "a.txt", "two"); break;
                case 2: _folder.Write("a.txt", "three"); break;
                case 3: File.Delete(_folder["a.txt"]); break;
                default: break;
            }
            if (seen.Count is 2 or 3) { files.NotifyChanges(); }
        }

        seen.Should().Equal("one", "two", "three", "4.04");
    }

    private FileServer Serve(long? maxUpload = null)
    {
        _server = new CoapServer(new CoapServerSettings { Network = _network, Endpoints = [ServerEndpoint.InMemory("files")] });
        var files = new FileServer(new ServedFolder(_folder.Path), new WatchedFiles(TimeProvider.System), TimeProvider.System);
        files.Map(_server.Resources, maxUpload);
        _server.Start();
        return files;
    }

    private ValueTask<CoapResponse> SendAsync(CoapCode method, string path, string? payload = null, params CoapOption[] options) =>
        _client.SendAsync(new CoapRequest(method, $"{Root}/{path}") { Payload = payload is null ? default : Encoding.UTF8.GetBytes(payload), Options = [.. options] });
}
