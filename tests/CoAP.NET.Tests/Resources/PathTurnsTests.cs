using CoAP.Resources;

namespace CoAP.Tests.Resources;

/// <summary>Requests that wait for the turn of a path, and give up.</summary>
public sealed class PathTurnsTests
{
    private const string Path = "/a";

    private readonly PathTurns _cut = new();

    [Fact]
    public async Task A_request_that_gives_up_leaves_the_queue_at_once()
    {
        _cut.TryEnter(Path, Requests.Unrouted(Path)).Should().BeTrue();

        for (var i = 0; i < 100; i++)
        {
            using var abort = new CancellationTokenSource();
            var waiting = Wait($"peer{i % 7}", abort.Token);
            await abort.CancelAsync();
            await waiting.Invoking(static task => task).Should().ThrowAsync<OperationCanceledException>();
        }

        _cut.CountOf(Path).Should().Be(0);
        _cut.IsAwaited(Path).Should().BeFalse();
        _cut.Leave(Path);
        _cut.TryEnter(Path, Requests.Unrouted(Path)).Should().BeTrue("nobody has the turn");
    }

    [Fact]
    public async Task Those_who_still_wait_keep_their_turns_when_others_give_up()
    {
        _cut.TryEnter(Path, Requests.Unrouted(Path)).Should().BeTrue();
        using var abort = new CancellationTokenSource();
        var first = Wait("a", CancellationToken.None);
        _ = Wait("a", abort.Token);
        var third = Wait("a", CancellationToken.None);
        _ = Wait("b", abort.Token);
        var last = Wait("c", CancellationToken.None);
        await abort.CancelAsync();

        _cut.CountOf(Path).Should().Be(3);
        foreach (var next in new[] { first, last, third })
        {
            _cut.Leave(Path);
            await next;
        }
        _cut.CountOf(Path).Should().Be(0);
        third.IsCompletedSuccessfully.Should().BeTrue();
    }

    private Task<PathWaiter?> Wait(string account, CancellationToken cancellationToken) =>
        _cut.EnterAsync(Path, Requests.Unrouted(Path), Account.Of(account), cancellationToken);
}
