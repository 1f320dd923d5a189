using System.Collections.Concurrent;
using System.Threading.Tasks.Dataflow;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>A user's block holds notifications.</summary>
public sealed class HeldNotificationsTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualClock());
    private readonly ConcurrentQueue<Answer> _held = new();
    private readonly BufferBlock<Answer> _returned = new();
    private readonly ScriptedPeer _client;
    private readonly LaneEnd _server;
    private Resource _resource = null!;

    public HeldNotificationsTests()
    {
        _client = ScriptedPeer.Client(_wire);
        _server = LaneEnd.Server(
            _wire, map => _resource = map.At("r").Observable().Get(static _ => Response.Content("a"), HandlerMode.Inline),
            new CoapServerSettings
            {
                Links = [MeshLink.Through(MeshArrow.ObservedAnswers, () => DataflowBlock.Encapsulate(new ActionBlock<Answer>(_held.Enqueue), _returned))],
            });
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void Held_notifications_keep_no_request_and_are_all_sent()
    {
        _client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        Await(() => _held.Count == 1);
        _server.Lane.Ledger.Requests.Used.Should().Be(1, "the request is not answered yet");
        ReturnAll();
        Await(() => _client.Received.Count == 1);

        for (var change = 1; change <= 2; change++)
        {
            _resource.NotifyChanged();
            Await(() => _held.Count == change);
        }
        (_server.Lane.Ledger.Requests.Used, _server.Lane.PendingRequests).Should().Be((0, 0));
        ReturnAll();

        Await(() => _client.Received.Count == 3);
        _resource.ObserverCount.Should().Be(1);
    }

    private void ReturnAll()
    {
        while (_held.TryDequeue(out var answer)) { _returned.Post(answer); }
    }

    private void Await(Func<bool> condition) => SpinWait.SpinUntil(
        () =>
        {
            _client.TakeAll(seconds: 0);
            return condition();
        }, Patience).Should().BeTrue();
}
