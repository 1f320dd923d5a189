using CoAP.Testing;
using CoAP.Tool.Serving;

namespace CoAP.Tool.Tests.Serving;

public sealed class WatchedFilesTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly ManualClock _time = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Reports_a_change_once()
    {
        var cut = new WatchedFiles(_time);
        var path = _folder.Write("a.txt", "one");
        cut.Add("/a.txt", path, ServedFile.TagOf(path), Account.Of("client"));

        cut.TakeChanges().Should().BeEmpty();
        _folder.Write("a.txt", "two");
        cut.TakeChanges().Should().Equal("/a.txt");
        cut.TakeChanges().Should().BeEmpty();
        File.Delete(path);
        cut.TakeChanges().Should().Equal("/a.txt");
    }

    [Fact]
    public void Forgets_a_file_that_nobody_reads_any_more()
    {
        var cut = new WatchedFiles(_time);
        cut.Add("/a.txt", _folder["a.txt"], state: null, Account.Of("client"));

        _time.Advance(TimeSpan.FromMinutes(5));
        cut.TakeChanges();

        cut.Count.Should().Be(0);
    }

    [Fact]
    public void Is_bounded_and_drops_the_file_that_was_not_read_for_the_longest_time()
    {
        var cut = new WatchedFiles(_time);
        for (var number = 0; number <= WatchedFiles.MaxFiles; number++)
        {
            cut.Add($"/{number}", _folder[$"{number}"], state: null, Account.Of("client"));
            _time.Advance(TimeSpan.FromMilliseconds(1));
        }

        _folder.Write("0", "changed");
        _folder.Write("1", "changed");

        cut.Count.Should().Be(WatchedFiles.MaxFiles);
        cut.TakeChanges().Should().Equal("/1");
    }

    [Fact]
    public void A_client_with_many_files_does_not_push_out_those_of_others()
    {
        var cut = new WatchedFiles(_time);
        cut.Add("/first", _folder["first"], state: null, Account.Of("patient"));
        for (var number = 0; number < 2 * WatchedFiles.MaxFiles; number++)
        {
            _time.Advance(TimeSpan.FromMilliseconds(1));
            cut.Add($"/{number}", _folder[$"{number}"], state: null, Account.Of("greedy"));
        }
        cut.Add("/second", _folder["second"], state: null, Account.Of("patient"));

        _folder.Write("first", "changed");
        _folder.Write("second", "changed");

        cut.Count.Should().Be(WatchedFiles.MaxFiles);
        cut.TakeChanges().Should().Equal("/first", "/second");
    }

    [Fact]
    public void Clients_whose_addresses_may_be_forged_do_not_push_out_those_of_others()
    {
        var cut = new WatchedFiles(_time);
        Watch(cut, "/first", "patient");
        for (var number = 0; number < 2 * WatchedFiles.MaxFiles; number++) { Watch(cut, $"/{number}", client: null); }
        cut.Count.Should().Be(1 + WatchedFiles.MaxUnverified);
        for (var number = 1; number < WatchedFiles.MaxFiles; number++) { Watch(cut, $"/verified{number}", $"client{number}"); }
        for (var number = 0; number < 10; number++) { Watch(cut, $"/{number}", client: null); }

        foreach (var path in new[] { "first", "verified1", "verified999", "0", "9" }) { _folder.Write(path, "changed"); }

        cut.Count.Should().Be(WatchedFiles.MaxFiles);
        cut.TakeChanges().Should().BeEquivalentTo("/first", "/verified1", "/verified999");
    }

    [Fact]
    public void Forged_clients_do_not_push_out_the_file_of_a_client_that_is_not_known_yet()
    {
        var cut = new WatchedFiles(_time);
        Watch(cut, "/honest", client: null);
        for (var number = 0; number < 2 * WatchedFiles.MaxFiles; number++) { Watch(cut, $"/{number}", client: null); }

        _folder.Write("honest", "changed");

        cut.Count.Should().Be(WatchedFiles.MaxUnverified);
        cut.TakeChanges().Should().Equal("/honest");
        _time.Advance(TimeSpan.FromMinutes(5));
        cut.TakeChanges();
        Watch(cut, "/later", client: null);
        cut.Count.Should().Be(1, "forged observers are not read again, and make room");
    }

    [Fact]
    public void A_file_that_a_client_with_a_forged_address_observed_first_belongs_to_the_client_that_is_known()
    {
        var cut = new WatchedFiles(_time);
        Watch(cut, "/first", client: null);
        Watch(cut, "/first", "patient");
        Watch(cut, "/first", client: null);
        for (var number = 0; number < 2 * WatchedFiles.MaxFiles; number++) { Watch(cut, $"/{number}", client: null); }

        _folder.Write("first", "changed");

        cut.TakeChanges().Should().Equal("/first");
    }

    private void Watch(WatchedFiles cut, string path, string? client)
    {
        _time.Advance(TimeSpan.FromMilliseconds(1));
        cut.Add(path, _folder[path[1..]], state: null, client is null ? null : Account.Of(client));
    }
}
