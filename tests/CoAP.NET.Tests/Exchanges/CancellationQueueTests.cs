using CoAP.Exchanges;
using CoAP.TestSupport;
using CoAP.Vocabulary;

namespace CoAP.Tests.Exchanges;

/// <summary>Many tokens may be canceled at once. The other work of the thread pool must not wait for all of them.</summary>
public sealed class CancellationQueueTests : IDisposable
{
    private readonly Queue<Action> _pool = [];
    private readonly TestLog _log = new();
    private readonly CancellationQueue _cut;

    public CancellationQueueTests() => _cut = new(new EndpointLog(_log, TimeProvider.System), _pool.Enqueue);

    public void Dispose() => _log.Dispose();

    [Fact]
    public void One_piece_of_work_waits_however_many_tokens_are_canceled()
    {
        var tokens = Cancel(140, static () => { });

        _pool.Should().ContainSingle();
        RunAll();
        tokens.Should().OnlyContain(static token => token.IsCancellationRequested);
    }

    [Fact]
    public void The_next_piece_waits_already_when_a_callback_blocks()
    {
        List<int> waiting = [];
        Cancel(3, () => waiting.Add(_pool.Count));

        RunAll();

        waiting.Should().Equal(1, 1, 0);
    }

    [Fact]
    public void A_token_is_canceled_after_all_others_were()
    {
        Cancel(2, static () => { });
        RunAll();

        var tokens = Cancel(1, static () => { });
        RunAll();

        tokens.Should().OnlyContain(static token => token.IsCancellationRequested);
    }

    [Fact]
    public void The_exception_of_a_callback_is_logged()
    {
        Cancel(1, static () => throw new InvalidOperationException("of the user"));

        RunAll();

        _log.Exceptions.Should().ContainSingle().Which.ToString().Should().Contain("of the user");
    }

    private CancellationTokenSource[] Cancel(int count, Action callback)
    {
        var tokens = Enumerable.Range(0, count).Select(static _ => new CancellationTokenSource()).ToArray();
        foreach (var token in tokens)
        {
            token.Token.Register(callback);
            _cut.Cancel(token);
        }
        return tokens;
    }

    private void RunAll()
    {
        while (_pool.TryDequeue(out var work)) { work(); }
    }
}
