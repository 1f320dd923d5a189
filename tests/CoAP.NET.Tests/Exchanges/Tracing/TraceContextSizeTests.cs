using System.Diagnostics;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges.Tracing;

/// <summary>The context of a trace is left out if a request would not fit into a message with it.</summary>
public sealed class TraceContextSizeTests : IDisposable
{
    private const int MaxSendSize = 256;

    private static readonly CoapClientSettings Settings = new() { MaxSendSize = MaxSendSize, Telemetry = new() { SendsTraceContext = true } };

    private readonly Wire _wire = new(new ManualClock());
    private readonly Activity _outer = new Activity("outer").SetIdFormat(ActivityIdFormat.W3C);
    private readonly ScriptedPeer _server;
    private readonly LaneEnd _client;

    public TraceContextSizeTests()
    {
        _outer.TraceStateString = "vendor=" + new string('x', 150);
        _server = ScriptedPeer.Server(_wire);
        _client = LaneEnd.Client(_wire, Settings);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
        _outer.Dispose();
    }

    [Theory]
    [InlineData(20, true, true)]
    [InlineData(150, true, false)]      // the state does not fit
    [InlineData(235, false, false)]     // 256 bytes less the header, the token, the path and the marker
    public void A_request_that_fits_is_sent_whole(int payload, bool hasParent, bool hasState)
    {
        _outer.Start();

        _ = _client.Send(new CoapRequest(RequestCode.Put, "/a") { Payload = new byte[payload] });
        _server.TakeAll(seconds: 0);

        var message = Read(_server.Received.Should().ContainSingle().Subject);
        message.Payload.Length.Should().Be(payload);
        (message.Options.Contains<TraceParent>(), message.Options.Contains<TraceState>()).Should().Be((hasParent, hasState));
        message.Options.Contains<Block1>().Should().BeFalse();
    }

    [Fact]
    public void A_body_in_blocks_has_blocks_as_large_as_without_a_trace()
    {
        _outer.Start();

        _ = _client.Send(new CoapRequest(RequestCode.Put, "/a") { Payload = new byte[1000], PreferredBlockSize = 128 });
        _server.TakeAll(seconds: 0);

        var message = Read(_server.Received.Should().ContainSingle().Subject);
        message.Options.Get<Block1>()!.SizeExponent.Should().Be(3, "2^(3 + 4) is 128 (RFC 7959, section 2.2)");
        message.Options.Contains<TraceState>().Should().BeFalse();
    }

    [Fact]
    public void A_registration_that_fits_is_sent()
    {
        _outer.Start();
        var path = $"/{new string('p', 100)}/{new string('q', 100)}";
        _ = _client.ChannelTo(_wire.Server).ObserveAsync(new CoapRequest(RequestCode.Get, path)).GetAsyncEnumerator().MoveNextAsync().AsTask();
        _server.TakeAll(seconds: 0);

        var message = Read(_server.Received.Should().ContainSingle().Subject);
        (message.Options.Contains<Observe>(), message.Options.Contains<TraceParent>(), message.Options.Contains<TraceState>()).Should().Be((true, true, false));
    }

    [Fact]
    public void A_context_that_the_caller_has_set_is_never_left_out()
    {
        _outer.Start();
        var parent = TraceParent.Of(_outer.Context);

        Action call = () => _client.Send(new CoapRequest(RequestCode.Put, "/a") { Payload = new byte[235], Options = [parent, new Block1(0, hasMore: false, 4)] });

        call.Should().Throw<ArgumentException>().WithMessage("*MaxSendSize*");
    }

    private static CoapMessage Read(byte[] datagram)
    {
        new DatagramSerializer(OptionRegistry.Default).TryRead(datagram, out var message, out _, out _).Should().BeTrue();
        datagram.Length.Should().BeLessThanOrEqualTo(MaxSendSize);
        return message!;
    }
}
