using System.Net;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Datagrams;

/// <summary>A client that has used up the message IDs of its local port goes on from another one (RFC 7252, section 4.4).</summary>
public sealed class FurtherPortsTests : IDisposable
{
    private const int BeforeReserve = 64_512 - 1024 + 1;        // of the IDs of a port for unicast, new exchanges use this many

    private static readonly DeduplicationSettings Small = new() { Capacity = 1024, AnswerBufferSize = 65_536 };

    private readonly Wire _wire = new(new ManualClock()) { Server = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 5683)) };
    private readonly LaneEnd _server;
    private LaneEnd? _client;
    private Resource? _counter;

    // The body that a test sends stays on the lane too: simulated time does not wait for a handler thread.
    public FurtherPortsTests() =>
        _server = LaneEnd.Server(_wire, Map, new CoapServerSettings { Deduplication = Small, MaxInlinePayload = 65_536 });

    private LaneEnd Client => _client!;

    private int OpenPorts => Client.Lane.FurtherPorts.Open.Count;

    public void Dispose()
    {
        _client?.Dispose();
        _server.Dispose();
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void Each_exchange_succeeds_and_no_message_ID_is_used_again_between_the_same_endpoints()
    {
        Open();

        for (var i = 0; i < 2 * BeforeReserve + 10; i++) { Exchange("/hello").Code.Should().Be(ResponseCode.Content); }

        var sent = _wire.Sent(Direction.ToServer).Select(static datagram => (datagram.From, WireMessage.Read(datagram.Bytes).Id)).ToList();
        sent.Should().OnlyHaveUniqueItems();
        sent.Select(static one => one.From).Distinct().Should().HaveCount(3);
        Client.Lane.Metrics[LaneCounters.ReusedMessageIds].Should().Be(0);
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void A_port_is_given_back_when_it_has_rested_for_EXCHANGE_LIFETIME()
    {
        Open();
        UseUp();
        Exchange("/hello");
        OpenPorts.Should().Be(1);

        _wire.RunFor(TimeSpan.FromSeconds(246));
        Exchange("/hello");
        OpenPorts.Should().Be(1, "the IDs of the first port leave quarantine after 247 s, so the second was used again");
        _wire.RunFor(TimeSpan.FromSeconds(246));
        Exchange("/hello");
        _wire.RunFor(TimeSpan.FromSeconds(6));
        Exchange("/hello");

        OpenPorts.Should().Be(0);
        _wire.Sent(Direction.ToServer)[^1].From.Should().Be(Client.Self);
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void All_ports_are_given_back_when_nothing_was_sent_for_EXCHANGE_LIFETIME()
    {
        Open();
        UseUp();
        Exchange("/hello");

        _wire.RunFor(TimeSpan.FromSeconds(500));

        (OpenPorts, Client.Leftovers).Should().Be((0, "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines"));
        var again = () => _wire.Network.OpenDatagrams(PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.2"), 5684)));
        again.Should().NotThrow("the port is closed");
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void Without_another_port_the_client_uses_the_rest_and_then_fails_clearly()
    {
        Open(new CoapClientSettings { Deduplication = Small, MaxLocalPorts = 1 });
        UseUp();
        for (var i = 0; i < 1024 - 1; i++) { Exchange("/hello").Code.Should().Be(ResponseCode.Content); }

        var call = Client.Get("/hello");
        _wire.RunUntilIdle(TimeSpan.Zero);

        call.Invoking(failed => failed.Answer()).Should().Throw<CoapBusyException>()
            .WithMessage("*260 messages a second*local ports in use: 1.*MaxLocalPorts*");
    }

    [Fact, Trait("RFC", "7252 4.7")]
    public void NSTART_counts_the_requests_from_all_ports()
    {
        Open();
        UseUp(but: 1);
        var calls = Enumerable.Range(0, 3).Select(_ => Client.Get("/late")).ToList();

        _wire.RunFor(TimeSpan.FromMilliseconds(10));

        _wire.Sent(Direction.ToServer).Skip(BeforeReserve - 1).Should().ContainSingle("NSTART is 1");
        _wire.RunUntil(() => calls.TrueForAll(static call => call.IsCompleted));
        calls.Select(static call => call.Answer().PayloadText).Should().Equal("late", "late", "late");
    }

    [Fact, Trait("RFC", "7959 2.5")]
    public void All_blocks_of_a_body_leave_from_the_same_port()
    {
        Open();
        UseUp(but: 1);

        var upload = Client.Send(new CoapRequest(RequestCode.Put, "/body") { Payload = new byte[20_000] });
        _wire.RunUntil(() => upload.IsCompleted);
        var download = Client.Get("/body");
        _wire.RunUntil(() => download.IsCompleted);

        (upload.Answer().Code, download.Answer().Payload.Length).Should().Be((ResponseCode.Changed, 20_000));
        PortsOf("body", RequestCode.Put).Should().Equal(5683);
        PortsOf("body", RequestCode.Get).Should().Equal(5684);
    }

    [Fact, Trait("RFC", "7641 3.3.1")]
    public void An_observation_registers_at_a_port_with_message_IDs_and_stays_there()
    {
        Open();
        UseUp();
        var observation = Client.ChannelTo(_wire.Server).BeginObserving(new CoapRequest(RequestCode.Get, "/count"));
        _wire.RunUntil(() => observation.State == ObservationState.Active);

        // Max-Age of 30 s makes the client register again and again. Nothing else keeps the port.
        _wire.RunFor(TimeSpan.FromMinutes(20));
        _counter!.NotifyChanged();
        _wire.RunFor(TimeSpan.FromSeconds(1));

        PortsOf("count", RequestCode.Get).Should().Equal(5684);
        (observation.State, OpenPorts).Should().Be((ObservationState.Active, 1));
        observation.Context.Connector.Leave(ObservationEnd.Canceled);
        _wire.RunFor(TimeSpan.FromMinutes(10));
        OpenPorts.Should().Be(0);
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public void A_request_that_moves_to_another_port_with_its_Echo_value_may_be_challenged_there_again()
    {
        Open();
        UseUp(but: 1);

        Exchange("/fresh").Code.Should().Be(ResponseCode.Content);

        _wire.Sent(Direction.ToServer).Skip(BeforeReserve - 1).Select(static datagram => datagram.From.Port).Should()
            .Equal(5683, 5684, 5684);
    }

    private static CoapResponse AnswerFresh(IncomingRequest request)
    {
        byte[] own = [(byte)(request.Peer.Port >> 8), (byte)request.Peer.Port];
        return request.Options.Get<Echo>()?.Value.Span.SequenceEqual(own) == true
            ? Response.Content("fresh")
            : new CoapResponse(ResponseCode.Unauthorized) { Options = [new Echo(own)] };
    }

    private void Map(ResourceMap resources)
    {
        var body = Array.Empty<byte>();
        resources.At("hello").Get(static _ => Response.Content("hi"), HandlerMode.Inline);
        resources.At("late").Get(async (_, cancellationToken) =>
        {
            await Task.Delay(TimeSpan.FromMilliseconds(50), _wire.Time, cancellationToken);
            return Response.Content("late");
        });
        resources.At("fresh").Get(AnswerFresh, HandlerMode.Inline);
        resources.At("body").Get(_ => Response.Content(body), HandlerMode.Inline).Put(request =>
        {
            body = request.Payload.ToArray();
            return Response.Changed;
        }, HandlerMode.Inline);
        _counter = resources.At("count").Observable();
        _counter.Get(static _ => new CoapResponse(ResponseCode.Content) { Options = [new MaxAge(30)], Payload = "1"u8.ToArray() },
            HandlerMode.Inline);
    }

    private void Open(CoapClientSettings? settings = null) =>
        _client = LaneEnd.ClientAt(_wire, new IPEndPoint(IPAddress.Parse("192.0.2.2"), 5683),
            settings ?? new CoapClientSettings { Deduplication = Small });

    private void UseUp(int but = 0)
    {
        for (var i = 0; i < BeforeReserve - but; i++) { Exchange("/hello"); }
    }

    private CoapResponse Exchange(string path)
    {
        var call = Client.Get(path);
        _wire.RunUntil(() => call.IsCompleted);
        return call.Answer();
    }

    private IEnumerable<int> PortsOf(string path, CoapCode method) => _wire.Sent(Direction.ToServer)
        .Where(datagram => datagram.Bytes.AsSpan().IndexOf(System.Text.Encoding.ASCII.GetBytes(path)) > 0
            && datagram.Bytes[1] == method.Value)
        .Select(static datagram => datagram.From.Port).Distinct();
}
