using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Handshakes;

public sealed class HandshakeWorkersTests
{
    [Fact]
    public async Task Accounts_take_turns_so_the_handshakes_of_one_do_not_delay_those_of_another()
    {
        using var cut = new PooledWorkers(1, runsOnCaller: false);
        using var gate = new ManualResetEventSlim();
        var (order, done) = (new List<string>(), new TaskCompletionSource());
        cut.Post(Account.Of("many"), gate.Wait);        // the only worker is busy meanwhile

        for (var i = 0; i < 5; i++) { cut.Post(Account.Of("many"), () => order.Add("many")); }
        cut.Post(Account.Of("one"), () => order.Add("one"));
        cut.Post(Account.Of("last"), () => order.Add("last"));
        cut.Post(Account.Of("last"), done.SetResult);
        gate.Set();
        await done.Task.WaitAsync(TimeSpan.FromMinutes(1));

        order.Take(3).Should().BeEquivalentTo("many", "one", "last");
    }
}
