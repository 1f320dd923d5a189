using System.Security.Cryptography;

namespace CoAP.Tests.Dtls.Storing;

/// <summary>Stores whose file cannot be written. Their memory is bounded.</summary>
public sealed class FailingStoreTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("coap-").FullName;

    private string FileName => Path.Combine(_folder, "sessions");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_store_that_could_not_take_over_its_file_keeps_nothing()
    {
        using (var store = new FileDtlsSessionStore(FileName, SessionStoreTests.Secret))
        {
            store.TakeOver();
            store.Save(SessionStoreTests.Session(1));
            store.Flush();
        }
        using var strange = new FileDtlsSessionStore(FileName, new byte[32]);
        using var lost = new FileDtlsSessionStore(Path.Combine(_folder, "missing", "sessions"), SessionStoreTests.Secret);
        FluentActions.Invoking(strange.TakeOver).Should().Throw<CryptographicException>().WithMessage($"*{FileName} cannot be read: its secret is another one*delete the file*");
        FluentActions.Invoking(lost.TakeOver).Should().Throw<IOException>().WithMessage($"*{Path.Combine(_folder, "missing", "sessions")} cannot be opened*");

        foreach (var cut in new[] { strange, lost }) { Use(cut).Should().Be(0); }
        using var next = new FileDtlsSessionStore(FileName, SessionStoreTests.Secret);
        next.TakeOver().Should().ContainSingle();
    }

    [Fact]
    public void A_store_whose_file_has_another_owner_keeps_nothing()
    {
        using var cut = new FileDtlsSessionStore(FileName, SessionStoreTests.Secret);
        cut.TakeOver();
        cut.Save(SessionStoreTests.Session(1));
        cut.Flush();
        using var next = new FileDtlsSessionStore(FileName, SessionStoreTests.Secret);
        next.TakeOver();

        Use(cut).Should().Be(0);
    }

    [Fact]
    public void While_the_file_cannot_be_written_the_last_change_of_each_session_waits()
    {
        using var cut = new FileDtlsSessionStore(FileName, SessionStoreTests.Secret, capacity: 20);
        cut.TakeOver();
        for (var id = 1; id <= 20; id++) { cut.Save(SessionStoreTests.Session(id)); }
        cut.Flush();
        File.Move(FileName, FileName + "-elsewhere");

        for (var id = 1; id <= 10; id++) { cut.Remove(SessionStoreTests.Session(id).Id); }
        Use(cut).Should().BeLessThanOrEqualTo(40, "20 sessions can begin and 20 can end");
        cut.Save(new DtlsSessionState(SessionStoreTests.Session(20).Content with { HighestReceived = 77 }));
        File.Move(FileName + "-elsewhere", FileName);
        cut.Flush();

        cut.WaitingChanges.Should().Be(0);
        using var next = new FileDtlsSessionStore(FileName, SessionStoreTests.Secret);
        var sessions = next.TakeOver().ToDictionary(static one => one.Id);
        sessions.Keys.Should().BeEquivalentTo(Enumerable.Range(11, 10).Select(static id => SessionStoreTests.Session(id).Id));
        sessions[SessionStoreTests.Session(20).Id].Content.HighestReceived.Should().Be(77);
    }

    // 1,000 sessions begin and end. Returns the number of changes that wait for the file.
    private static int Use(FileDtlsSessionStore store)
    {
        for (var id = 1000; id < 2000; id++)
        {
            store.Save(SessionStoreTests.Session(id));
            if (id % 10 == 0) { FluentActions.Invoking(store.Flush).Should().Throw<IOException>(); }
            store.Remove(SessionStoreTests.Session(id).Id);
        }
        return store.WaitingChanges;
    }
}
