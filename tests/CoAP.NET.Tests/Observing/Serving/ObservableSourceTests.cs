using System.Threading.Channels;
using System.Threading.Tasks.Dataflow;
using CoAP.Observing;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>Resources whose representations come from a sequence or a block.</summary>
public sealed class ObservableSourceTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private Resource _resource = null!;
    private LaneEnd? _server;

    public ObservableSourceTests() => _client = ScriptedPeer.Client(_wire);

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
    }

    [Fact]
    public void Observers_receive_what_a_block_emits()
    {
        var source = new BufferBlock<CoapResponse>();
        _server = LaneEnd.Server(_wire, map => _resource = map.At("r").Observable(source));
        Give(source, "a", seen: "a");

        _client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} 'a'");
        _server.DiscardWork();
        source.Post(Response.Content("b"));
        _server.AwaitWork();

        _client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} 'b'");
    }

    [Fact]
    public void Before_there_is_a_representation_GET_is_answered_5_03()
    {
        _server = LaneEnd.Server(_wire, map => map.At("r").Observable(new BufferBlock<CoapResponse>()));

        _client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");

        _client.Expect("ACK [0x0001] 5.03 Service Unavailable (Token 0x01) {Max-Age: 1}");
    }

    [Fact]
    public void Items_of_a_sequence_are_notified_and_its_failure_ends_the_observations()
    {
        var source = Channel.CreateUnbounded<CoapResponse>();
        source.Writer.TryWrite(Response.Content("a"));
        _server = LaneEnd.Server(_wire, map => _resource = map.At("r").Observable(source.Reader.ReadAllAsync()));
        AwaitContent("a");
        _client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} 'a'");
        _server.DiscardWork();
        source.Writer.TryComplete(new InvalidOperationException("a secret"));
        _server.AwaitWork();

        _client.Expect("CON [X] 5.00 Internal Server Error (Token 0x01)");
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void A_resource_is_made_observable_once_and_says_so_in_discovery()
    {
        var resource = new ResourceMap().At("r").Observable();

        resource.Invoking(one => one.Observable()).Should().Throw<InvalidOperationException>().WithMessage("*'/r' is already observable*");
        resource.Description.Link.IsObservable.Should().BeTrue();
    }

    [Fact]
    public void A_resource_that_is_not_observable_has_no_observers_to_notify()
    {
        var resource = new ResourceMap().At("r");

        resource.Invoking(one => one.NotifyChanged()).Should().Throw<InvalidOperationException>().WithMessage("*call Observable()*");
        resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void Observations_end_with_an_error_only()
    {
        var resource = new ResourceMap().At("r").Observable();

        resource.Invoking(one => one.EndObservations(ResponseCode.Content)).Should().Throw<ArgumentException>();
    }

    private void Give(BufferBlock<CoapResponse> source, string text, string seen)
    {
        source.Post(Response.Content(text));
        AwaitContent(seen);
    }

    // The source is read on a thread of its own. It announces each change; the handler says what has come so far.
    private void AwaitContent(string text)
    {
        var changes = new Changes();
        _resource.Observers!.Add(changes);
        while (!IsThere()) { changes.AwaitNext(); }
        _resource.Observers!.Remove(changes);

        bool IsThere()
        {
            var pending = _resource.Find(RequestCode.Get)!.Invoke(null!, default);
            return pending.IsCompletedSuccessfully && pending.Result.PayloadText == text;
        }
    }

    private sealed class Changes : ObserversOfLane
    {
        private readonly object _gate = new();
        private int _count;

        public void AwaitNext()
        {
            lock (_gate)
            {
                while (_count == 0) { Monitor.Wait(_gate, TimeSpan.FromMinutes(1)).Should().BeTrue(); }
                _count--;
            }
        }

        public override void OnChanged(string? path)
        {
            lock (_gate)
            {
                _count++;
                Monitor.Pulse(_gate);
            }
        }

        public override void OnEnded(CoapCode code)
        {
        }

        public override void Run()
        {
        }

        public override void Abandon()
        {
        }
    }
}
