using System.Net;
using System.Runtime.Versioning;
using CoAP.Observing;

namespace CoAP.Tests.Observing;

/// <summary>The files of observations among users who do not trust each other.</summary>
[UnsupportedOSPlatform("windows")]
public sealed class StoreFileTests : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private readonly string _folder = Directory.CreateTempSubdirectory("coap-store-").FullName;

    private string FilePath => Path.Combine(_folder, "store");

    private string VictimPath => Path.Combine(_folder, "victim");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Only_the_owner_can_read_the_file_even_if_others_could_before()
    {
        File.WriteAllText(FilePath, "");
        File.SetUnixFileMode(FilePath, OwnerOnly | UnixFileMode.OtherRead | UnixFileMode.OtherWrite);

        Save();

        File.GetUnixFileMode(FilePath).Should().Be(OwnerOnly);
        Directory.GetFiles(_folder).Should().Equal(FilePath);
    }

    [Fact]
    public void A_symbolic_link_is_not_read()
    {
        File.WriteAllText(VictimPath, "secret");
        File.CreateSymbolicLink(FilePath, VictimPath);

        FluentActions.Invoking(() => new FileSubscriptionStore(FilePath)).Should().Throw<IOException>().WithMessage("*symbolic link*");
        FluentActions.Invoking(() => new FileObserverStore(FilePath)).Should().Throw<IOException>().WithMessage("*symbolic link*");
    }

    [Fact]
    public void A_symbolic_link_is_replaced_and_its_target_stays()
    {
        File.WriteAllText(VictimPath, "content");
        var store = new FileSubscriptionStore(FilePath);
        File.CreateSymbolicLink(FilePath, VictimPath);

        store.Save(Subscription());

        File.ReadAllText(VictimPath).Should().Be("content");
        new FileInfo(FilePath).LinkTarget.Should().BeNull();
    }

    [Fact]
    public void A_link_at_the_old_temporary_name_is_not_followed()
    {
        File.WriteAllText(VictimPath, "content");
        File.CreateSymbolicLink(FilePath + ".new", VictimPath);

        Save();

        File.ReadAllText(VictimPath).Should().Be("content");
    }

    [Fact]
    public void A_file_that_is_too_large_and_a_device_are_not_read()
    {
        using (var file = File.Create(FilePath)) { file.SetLength(StoreFile.MaxSize + 1); }

        FluentActions.Invoking(() => new FileSubscriptionStore(FilePath)).Should().Throw<IOException>().WithMessage("*67108864 bytes*");
        FluentActions.Invoking(() => new FileObserverStore(FilePath)).Should().Throw<IOException>().WithMessage("*67108864 bytes*");
        new FileObserverStore("/dev/zero").List().Should().BeEmpty();
    }

    [Fact]
    public void One_client_cannot_use_up_the_file()
    {
        var (attacker, honest) = (PeerIdentity.From(IPEndPoint.Parse("192.0.2.1:5683")), PeerIdentity.From(IPEndPoint.Parse("198.51.100.7:5683")));
        var store = new FileObserverStore(FilePath);
        var kept = 0;

        var refusal = Record.Exception(() =>
        {
            for (; kept < 100; kept++) { store.Save(LargeObserver(kept, attacker)); }
        });
        store.Save(LargeObserver(0, honest));
        store.Save(LargeObserver(0, attacker) with { SequenceLimit = long.MaxValue });

        refusal.Should().BeOfType<InvalidOperationException>().Which.Message.Should().Contain("192.0.2.1").And.Contain("67108864 bytes");
        kept.Should().Be(31, "32 lines of a little more than 1 MiB are more than half of 64 MiB");
        store.Flush();
        new FileObserverStore(FilePath).List().Should().HaveCount(32);
    }

    [Fact]
    public async Task A_named_pipe_is_not_read()
    {
        using (var command = System.Diagnostics.Process.Start("mkfifo", FilePath)) { await command.WaitForExitAsync(); }

        var opening = Task.Factory.StartNew(() => new FileObserverStore(FilePath).List(), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);

        (await opening.WaitAsync(TimeSpan.FromMinutes(1))).Should().BeEmpty();
    }

    [Fact]
    public void Saved_observers_can_be_read_back_while_the_file_is_bounded()
    {
        var store = new FileObserverStore(FilePath);
        var (saved, refused) = (0, 0);
        for (var number = 0; number < 70; number++)
        {
            try
            {
                store.Save(LargeObserver(number));
                saved++;
            }
            catch (InvalidOperationException exception)
            {
                exception.Message.Should().Contain("67108864 bytes");
                refused++;
            }
        }
        store.Remove(PeerIdentity.From("client"), default, LargeObserver(0).Token);
        store.Save(LargeObserver(69));
        store.Flush();

        refused.Should().BePositive();
        new FileInfo(FilePath).Length.Should().BeLessThanOrEqualTo(StoreFile.MaxSize);
        new FileObserverStore(FilePath).List().Should().HaveCount(saved);
    }

    // A line of about 1 MiB.
    private static StoredObserver LargeObserver(int number, PeerIdentity? peer = null) => new()
    {
        Peer = peer ?? PeerIdentity.From("client"),
        Local = default,
        Token = new Token([(byte)number]),
        Request = new byte[1 << 19],
        SequenceLimit = 1,
    };

    private static StoredSubscription Subscription() => new("coap://host/x", RequestCode.Get, new Token([1, 2, 3]));

    private void Save() => new FileSubscriptionStore(FilePath).Save(Subscription());
}
