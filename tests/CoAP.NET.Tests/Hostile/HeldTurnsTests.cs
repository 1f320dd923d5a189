using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Requests that have the turn of a path while all threads for them are busy. Others must not wait for these threads.</summary>
public sealed class HeldTurnsTests : IDisposable
{
    private const int Changed = 0x44;
    private const int Deleted = 0x42;
    private const int Unavailable = 0xA3;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly Wire _wire = new(new ManualClock());
    private readonly ServedPaths _paths;
    private readonly List<ScriptedPeer> _peers = [];
    private LaneEnd? _server;

    public HeldTurnsTests() => _paths = new(_wire);

    public void Dispose()
    {
        _peers.ForEach(static peer => peer.Dispose());
        _server?.Dispose();
        _paths.Dispose();
    }

    // One account may have two of the four threads. It blocks both, and its third request has the turn.
    [Fact]
    public void An_account_whose_threads_are_all_busy_does_not_keep_a_path_for_itself()
    {
        Serve(bodyThreads: 4);
        var first = Begin("slow1", "sync/a");
        var second = Upload("slow2", "sync/a");
        AwaitWaiters("sync/a", 1);
        var others = new[] { Begin("slow3", "sync/b"), Upload("slow4", "sync/c"), Upload("slow5", "sync/d") };
        Continue(first, "sync/a", isLast: true);
        AwaitAnswer(first, Changed);
        var honest = Send("honest", "NON [0x0001] PUT /sync/a (Token 0x01) 'x'");
        AwaitWaiters("sync/a", 1);

        _wire.RunFor(TimeSpan.FromSeconds(4));
        Array.ForEach(others, peer => Continue(peer, $"sync/{(char)('b' + Array.IndexOf(others, peer))}"));
        Continue(second, "sync/a");
        _wire.RunFor(TimeSpan.FromSeconds(6.5));

        AwaitAnswer(honest, Changed);
        _paths.Served.Should().Equal("slow1", "honest");
    }

    // The reader of "f" awaits, so it holds no thread. The next one has the turn while others block both threads of bodies.
    [Fact]
    public void A_request_that_finds_no_thread_loses_its_turn_while_others_wait()
    {
        Serve(bodyThreads: 2);
        var first = Begin("one", "f/a");
        var second = Upload("two", "f/a");
        AwaitWaiters("f/a", 1);
        var (third, fourth) = (Begin("three", "sync/b"), Begin("four", "sync/c"));
        Continue(first, "f/a", isLast: true);
        AwaitAnswer(first, Changed);
        var honest = Send("honest", "NON [0x0001] DELETE /f/a (Token 0x01)");
        AwaitWaiters("f/a", 1);

        _wire.RunFor(TimeSpan.FromSeconds(9));
        _paths.CodesOf(honest).Should().BeEmpty("the turn is not over");
        Continue(third, "sync/b");
        Continue(fourth, "sync/c");
        _wire.RunFor(TimeSpan.FromSeconds(1.5));

        AwaitAnswer(honest, Deleted);
        Continue(second, "f/a");
        AwaitAnswer(second, Unavailable);
        _paths.Served.Should().Equal("one", "honest");
        _paths.Resources["f"].Conditions!.Turns.IsAwaited("/f/a").Should().BeFalse();
    }

    private void Serve(int bodyThreads) => _server = LaneEnd.Server(
        _wire,
        map =>
        {
            _paths.At(map, "f").Put(_paths.ReadAsync, HandlerMode.Buffered)
                .Delete(_paths.Delete, HandlerMode.Buffered).StreamsBody();
            _paths.At(map, "sync").Put(_paths.Read, HandlerMode.Buffered)
                .StreamsBody();
        },
        new CoapServerSettings
        {
            BodyThreads = bodyThreads,
            Ledger = new() { AccountOf = static (peer, _) => AccountOf($"{peer}") },
        });

    private static Account? AccountOf(string peer) => peer.StartsWith("slow", StringComparison.Ordinal) ? Account.Of("slow") : null;

    private ScriptedPeer Send(string name, string message)
    {
        var peer = ScriptedPeer.Client(_wire, name);
        _peers.Add(peer);
        peer.Send(message);
        _wire.RunFor(TimeSpan.Zero);
        return peer;
    }

    private ScriptedPeer Upload(string name, string path) =>
        Send(name, $"NON [0x0001] PUT /{path} (Token 0x01) {{Block1: 0/1/16}} '0123456789abcdef'");

    private ScriptedPeer Begin(string name, string path)
    {
        var peer = Upload(name, path);
        _paths.IsReading.Wait(Patience).Should().BeTrue();
        return peer;
    }

    private void Continue(ScriptedPeer peer, string path, bool isLast = false)
    {
        peer.Send($"NON [0x0002] PUT /{path} (Token 0x01) {{Block1: 1/{(isLast ? 0 : 1)}/16}} '0123456789abcdef'");
        _wire.RunFor(TimeSpan.Zero);
    }

    private void AwaitWaiters(string path, int count) => _paths.AwaitWaiters(path, count, Patience);

    private void AwaitAnswer(ScriptedPeer peer, int code) => _paths.AwaitAnswer(_server!, peer, codes => codes.Contains(code));
}
