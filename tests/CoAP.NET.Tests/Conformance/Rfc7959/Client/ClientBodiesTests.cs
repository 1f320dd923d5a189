using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Our client and our server, and bodies of all sizes between them, in memory and from and to streams.</summary>
public sealed class ClientBodiesTests : IDisposable
{
    private readonly Wire _wire;
    private readonly LaneEnd _server;
    private readonly LaneEnd _client;
    private byte[] _stored = [];

    public ClientBodiesTests()
    {
        _wire = new Wire(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(10) };
        _server = LaneEnd.Server(_wire, map => map.At("store")
            .Put(request => Store(request.Payload), HandlerMode.Inline)
            .Get(_ => new CoapResponse(ResponseCode.Content) { Options = [new ETag(new byte[] { 7 })], Payload = _stored }, HandlerMode.Inline), new CoapServerSettings { MaxInlinePayload = int.MaxValue });
        _client = LaneEnd.Client(_wire, new CoapClientSettings { ClientTransfers = new() { ReadAhead = 4096 } });
    }

    public static TheoryData<int, int> Sizes
    {
        get
        {
            var sizes = new TheoryData<int, int>();
            foreach (var length in new[] { 0, 1, 15, 16, 17, 1023, 1024, 1025, 10_000 })
            {
                foreach (var block in new[] { 16, 64, 1024 }) { sizes.Add(length, block); }
            }
            return sizes;
        }
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Theory, MemberData(nameof(Sizes))]
    public void Bodies_in_memory_arrive_whole_in_both_directions(int length, int block)
    {
        var body = Bytes(length);

        var put = Finish(_client.Send(new CoapRequest(RequestCode.Put, "/store") { Payload = body, PreferredBlockSize = block }));
        var get = Finish(_client.Send(new CoapRequest(RequestCode.Get, "/store") { PreferredBlockSize = block }));

        put.Code.Should().Be(ResponseCode.Changed);
        _stored.Should().Equal(body);
        get.Payload.ToArray().Should().Equal(body);
        _client.Lane.Exchanges.Count.Should().Be(0);
    }

    [Theory, MemberData(nameof(Sizes))]
    public void Bodies_from_and_to_streams_arrive_whole_in_both_directions(int length, int block)
    {
        var body = Bytes(length);
        using var destination = new MemoryStream();

        Finish(Attended(new CoapRequest(RequestCode.Put, "/store") { Body = BodySource.From(new MemoryStream(body), length), PreferredBlockSize = block }));
        var get = Finish(Attended(new CoapRequest(RequestCode.Get, "/store") { ResponseBody = BodyTarget.To(destination), PreferredBlockSize = block }));

        _stored.Should().Equal(body);
        destination.ToArray().Should().Equal(body);
        get.Payload.IsEmpty.Should().BeTrue();
    }

    [Theory]
    [InlineData(0), InlineData(1024), InlineData(5000)]
    public void A_stream_that_does_not_know_its_length_arrives_whole(int length)
    {
        var body = Bytes(length);
        using var unknown = new TrickleStream(body, atOnce: 700);

        Finish(Attended(new CoapRequest(RequestCode.Put, "/store") { Body = BodySource.From(unknown) }));

        _stored.Should().Equal(body);
    }

    [Fact]
    public void A_stream_that_is_shorter_than_it_was_said_to_be_fails_the_request()
    {
        var call = Attended(new CoapRequest(RequestCode.Put, "/store") { Body = BodySource.From(new MemoryStream(Bytes(3000)), 5000) });

        Run(call);

        call.Invoking(one => one.Answer()).Should().Throw<ArgumentException>().WithMessage("*5000*");
        _stored.Should().BeEmpty();
    }

    [Fact]
    public void A_stream_that_throws_fails_the_request_with_what_it_threw()
    {
        var call = Attended(new CoapRequest(RequestCode.Put, "/store") { Body = BodySource.From(new TrickleStream(Bytes(3000), atOnce: 700) { FailsAt = 2000 }, 3000) });

        Run(call);

        call.Invoking(one => one.Answer()).Should().Throw<IOException>().WithMessage("*broken*");
        _client.BodiesUnderWay.Should().Be(0);
    }

    [Fact]
    public void Progress_is_reported_up_to_the_whole_body()
    {
        _stored = Bytes(5000);
        var reports = new List<TransferProgress>();

        Finish(Attended(new CoapRequest(RequestCode.Get, "/store") { Progress = new Reporter(reports) }));
        Finish(Attended(new CoapRequest(RequestCode.Put, "/store") { Payload = Bytes(3000), Progress = new Reporter(reports) }));

        reports.Should().Contain(new TransferProgress(0, 5000, 0, 5000));
        reports[^1].Should().Be(new TransferProgress(3000, 0, 3000, null));
    }

    [Fact]
    [Trait("RFC", "9175 3.5.2"), Trait("RFC", "9175 3.4")]
    public void Bodies_to_the_same_resource_at_the_same_time_are_kept_apart_by_Request_Tag()
    {
        using var client = LaneEnd.Client(_wire, new CoapClientSettings { Transmission = new() { NStart = 3 } }, "many");
        Task<CoapResponse>[] calls = [.. Enumerable.Range(0, 3).Select(_ => client.Send(new CoapRequest(RequestCode.Put, "/store") { Payload = Bytes(3000) }))];

        _wire.RunUntil(() => calls.All(call => call.IsCompleted));

        calls.Should().OnlyContain(call => call.Answer().Code == ResponseCode.Changed);
        var tags = _wire.Sent(Direction.ToServer).Select(sent => WireMessage.Read(sent.Bytes).Options.Where(option => option.Number == 292).Select(option => Hex.Text(option.Value)).SingleOrDefault("none"));
        tags.Distinct().Should().BeEquivalentTo("none", "", "00");
        client.BodiesUnderWay.Should().Be(0);
    }

    private static byte[] Bytes(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)(i * 7 + i / 256))];

    private CoapResponse Store(ReadOnlyMemory<byte> body)
    {
        _stored = body.ToArray();
        return new(ResponseCode.Changed);
    }

    private Task<CoapResponse> Attended(CoapRequest request) => NoContext.Run(() => _client.ChannelTo(_wire.Server).SendAsync(request).AsTask());

    private CoapResponse Finish(Task<CoapResponse> call)
    {
        Run(call);
        return call.Answer();
    }

    // The caller's part of a call is done by other threads, so that the wire may have nothing to do for a moment.
    private void Run(Task<CoapResponse> call)
    {
        var patience = DateTime.UtcNow.AddMinutes(1);
        while (!call.IsCompleted && DateTime.UtcNow < patience)
        {
            _wire.RunUntil(() => call.IsCompleted, TimeSpan.FromMilliseconds(100));
        }
        call.IsCompleted.Should().BeTrue("the call ends");
    }

    private sealed class Reporter(List<TransferProgress> reports) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value)
        {
            lock (reports) { reports.Add(value); }
        }
    }
}
