using CoAP.Options;

namespace CoAP.Tests.Observing;

public sealed class SubscriptionStoreTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("coap-store-").FullName;

    private string FilePath => Path.Combine(_folder, "subscriptions");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Saved_subscriptions_survive_a_restart()
    {
        var saved = Fetch(1) with { IsConfirmable = false };
        new FileSubscriptionStore(FilePath).Save(saved);

        var found = new FileSubscriptionStore(FilePath).List().Should().ContainSingle().Subject;

        (found.Uri, found.Method, found.Token, found.Options, found.IsConfirmable).Should()
            .Be((saved.Uri, saved.Method, saved.Token, saved.Options, false));
        found.Payload.ToArray().Should().Equal(saved.Payload.ToArray());
    }

    [Fact]
    public void Removed_subscriptions_stay_removed_after_a_restart()
    {
        var store = new FileSubscriptionStore(FilePath);
        store.Save(Fetch(1));
        store.Save(Fetch(2));

        store.Remove(Fetch(1).Token);

        new FileSubscriptionStore(FilePath).List().Should().ContainSingle().Which.Token.Should().Be(Fetch(2).Token);
    }

    [Theory]
    [InlineData(""), InlineData("rubbish"), InlineData("zz coap://host/"), InlineData("4 coap://host/"), InlineData("40010000 nowhere"), InlineData("40450000 coap://host/")]
    [InlineData("40010000ff31 coap://host/"), InlineData("40030000 coap://host/"), InlineData("4001000061 coap://host/"), InlineData("4001000060 coap://host/")]
    public void A_damaged_line_costs_one_subscription_and_no_other(string line)
    {
        new FileSubscriptionStore(FilePath).Save(Fetch(1));
        File.WriteAllLines(FilePath, [line, .. File.ReadAllLines(FilePath)]);

        new FileSubscriptionStore(FilePath).List().Should().ContainSingle().Which.Token.Should().Be(Fetch(1).Token);
    }

    [Fact]
    public void An_unfinished_file_of_a_run_that_was_killed_does_not_count()
    {
        new FileSubscriptionStore(FilePath).Save(Fetch(1));
        File.WriteAllText(FilePath + ".new", "4801");

        var store = new FileSubscriptionStore(FilePath);
        store.Save(Fetch(2));

        store.List().Should().HaveCount(2);
        Directory.GetFiles(_folder).Should().ContainSingle();
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public void A_full_store_says_so_and_keeps_what_it_has(bool isFile)
    {
        ISubscriptionStore store = isFile ? new FileSubscriptionStore(FilePath, capacity: 2) : new InMemorySubscriptionStore(capacity: 2);
        store.Save(Fetch(1));
        store.Save(Fetch(2));
        store.Save(Fetch(2) with { Uri = "coap://other/" });

        var saving = () => store.Save(Fetch(3));

        saving.Should().Throw<InvalidOperationException>().WithMessage("*2 subscriptions*");
        store.List().Select(one => one.Uri).Should().BeEquivalentTo("coap://host/path?query", "coap://other/");
    }

    private static StoredSubscription Fetch(byte token) => new("coap://host/path?query", RequestCode.Fetch, new Token([token, 2, 3, 4, 5, 6, 7, 8]))
    {
        Options = [new Accept(60), new ContentFormat(0)],
        Payload = new byte[] { 0xFF, 0, 10, 13 },
    };
}
