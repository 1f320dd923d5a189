using System.Buffers;
using CoAP.Options;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>A session that is replaced, or nearly so, while a transfer is under way, in simulated time.</summary>
public sealed class ReplacedSessionTests : IAsyncDisposable
{
    private const string Host = "server", Device = "client";
    private const byte Handshake = 22, ConnectionIdRecord = 25, ClientHello = 1, Finishing = 20;

    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);
    private static readonly LinkConditions Deaf = new() { Loss = 1 };
    private static readonly byte[] Body = [.. Enumerable.Range(0, 20_000).Select(static at => (byte)(at * 7))];

    private readonly SimulatedNetwork _world = new() { Latency = TimeSpan.FromMilliseconds(20) };
    private readonly List<(string Session, CoapCode Method, byte[] Body)> _stored = [];
    private readonly CoapServer _server;
    private readonly CoapClient _client;
    private string _state = "1";

    public ReplacedSessionTests()
    {
        _server = new CoapServer(_world.Place(new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key) } }));
        _server.Resources.At("store").Put(Store).Post(Store);
        _server.Resources.At("large").Get(static (_, _) => new(Response.Content(Body, 42)));
        _server.Resources.At("large").Fetch(static (_, _) => new(Response.Content(Body, 42)));
        _server.Resources.At("who").Get(static (request, _) => new(Response.Content(request.Peer.ToString())));
        _server.Resources.At("state").Get((_, _) => new(Response.Content(_state))).Observable();
        _server.Start();
        var settings = new CoapClientSettings { Dtls = new DtlsClientSettings { PreSharedKey = Key }, Transmission = TransmissionParameters.Default with { NStart = 4 } };
        _client = new CoapClient(_world.Place(settings, Device));
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    private int Hellos => _world.Transcript.Between(Device, Host).Count(static one => IsHello(one.Bytes.Span));

    // The answers to a block and to its first two copies are lost. That to the third copy takes a round trip.
    [Fact]
    public void A_session_is_not_replaced_before_the_third_copy_of_a_message_can_be_answered()
    {
        foreach (var nth in new[] { 13, 14, 15 }) { _world.Drop(Host, Device, nth); }

        var answer = _world.Run(_client.PutAsync("coaps://server/store", Body));

        answer.IsSuccess.Should().BeTrue(answer.ToString());
        _stored.Should().ContainSingle().Which.Body.Should().Equal(Body);
        Hellos.Should().Be(2, "one without a cookie and one with it");
    }

    [Fact]
    public void Retransmissions_of_several_messages_do_not_add_up()
    {
        _world.Run(_client.GetAsync("coaps://server/who"));
        foreach (var nth in new[] { 1, 2, 3 }) { _world.Drop(Host, Device, nth); }

        Task<CoapResponse>[] asked = [.. Enumerable.Range(0, 3).Select(_ => _client.GetAsync("coaps://server/who").AsTask())];
        _world.Run(Task.WhenAll(asked));

        Hellos.Should().Be(2);
    }

    [Fact]
    public void The_handshake_ends_when_the_earlier_session_answers_after_all()
    {
        var before = _world.Run(_client.GetAsync("coaps://server/who")).PayloadText;
        using var observing = Observe(out var seen);
        _world.RunUntil(() => seen.Count == 1);
        var put = _client.PutAsync("coaps://server/store", Body).AsTask();
        BecomeDeafUntil(() => Hellos > 2);

        _state = "2";
        _server.Resources.At("state").NotifyChanged();
        _world.Run(put).IsSuccess.Should().BeTrue();

        _stored.Should().ContainSingle().Which.Session.Should().Be(before);
        _world.Run(_client.GetAsync("coaps://server/who")).PayloadText.Should().Be(before);
    }

    [Theory, InlineData("PUT", "memory"), InlineData("POST", "memory"), InlineData("PUT", "stream"), InlineData("POST", "stream")]
    [Trait("RFC", "7959 2.9.2")]
    public void An_upload_begins_again_with_block_0_in_a_new_session(string method, string form)
    {
        var code = method == "PUT" ? RequestCode.Put : RequestCode.Post;
        var before = _world.Run(_client.GetAsync("coaps://server/who")).PayloadText;
        var request = form == "memory"
            ? new CoapRequest(code, "coaps://server/store") { Payload = Body }
            : new CoapRequest(code, "coaps://server/store") { Body = BodySource.From(new MemoryStream(Body)) };
        var put = _client.SendAsync(request).AsTask();
        ReplaceSession(blocks: 5);

        var answer = _world.Run(put);

        answer.IsSuccess.Should().BeTrue(answer.ToString());
        var (session, _, body) = _stored.Should().ContainSingle().Which;
        session.Should().NotBe(before);
        body.Should().Equal(Body);
    }

    [Fact, Trait("RFC", "7959 2.9.2")]
    public void An_upload_whose_stream_cannot_be_read_again_says_so()
    {
        _world.Run(_client.GetAsync("coaps://server/who"));
        var pipe = new System.IO.Pipelines.Pipe(new(pauseWriterThreshold: 100_000));
        pipe.Writer.Write(Body);
        pipe.Writer.Complete();
        var put = _client.SendAsync(new CoapRequest(RequestCode.Put, "coaps://server/store") { Body = BodySource.From(pipe.Reader) }).AsTask();
        ReplaceSession(blocks: 5);

        var waiting = () => _world.Run(put);

        waiting.Should().Throw<CoapTransferException>().WithMessage("*session*replaced*cannot be read again*");
        _stored.Should().BeEmpty();
    }

    [Theory, InlineData("GET"), InlineData("FETCH")]
    public void A_download_goes_on_in_a_new_session(string method)
    {
        _world.Run(_client.GetAsync("coaps://server/who"));
        var request = method == "GET"
            ? new CoapRequest(RequestCode.Get, "coaps://server/large")
            : new CoapRequest(RequestCode.Fetch, "coaps://server/large") { Payload = "all"u8.ToArray(), Options = [new ContentFormat(0)] };
        var get = _client.SendAsync(request).AsTask();
        ReplaceSession(blocks: 5);

        var answer = _world.Run(get);

        answer.IsSuccess.Should().BeTrue(answer.ToString());
        answer.Payload.ToArray().Should().Equal(Body);
    }

    // The non-confirmable blocks show no loss of the session, but another request does.
    [Theory, InlineData("PUT"), InlineData("GET")]
    public void A_body_in_sets_of_blocks_begins_again_in_a_new_session(string method)
    {
        _world.Run(_client.SendAsync(new CoapRequest(RequestCode.Get, "coaps://server/large") { RobustMode = RobustMode.WhenSupported }));
        var request = method == "PUT"
            ? new CoapRequest(RequestCode.Put, "coaps://server/store") { Payload = Body, RobustMode = RobustMode.WhenSupported }
            : new CoapRequest(RequestCode.Get, "coaps://server/large") { RobustMode = RobustMode.WhenSupported };
        var robust = _client.SendAsync(request).AsTask();
        ReplaceSession(blocks: method == "PUT" ? 1 : 5);

        var answer = _world.Run(robust);

        answer.IsSuccess.Should().BeTrue(answer.ToString());
        if (method == "PUT") { _stored[^1].Body.Should().Equal(Body); }
        else { answer.Payload.ToArray().Should().Equal(Body); }
    }

    [Fact]
    public void An_observation_registers_again_in_a_new_session()
    {
        using var observing = Observe(out var seen);
        _world.RunUntil(() => seen.Count == 1);
        ReplaceSession(blocks: 0);
        var replacedAt = _world.Clock.Elapsed;

        _state = "2";
        _server.Resources.At("state").NotifyChanged();
        _world.RunUntil(() => seen.Contains("2"));

        (_world.Clock.Elapsed - replacedAt).Should().BeLessThan(TimeSpan.FromSeconds(20), "Max-Age, the other sign, is a minute");
    }

    // A server could take it for the newest word of the client, and send to the address of the lost session.
    [Fact]
    public void Nothing_is_sent_in_a_session_that_was_given_up_as_lost()
    {
        _world.Run(_client.GetAsync("coaps://server/who"));
        var lost = LastId();
        var put = _client.PutAsync("coaps://server/store", Body).AsTask();
        ReplaceSession(blocks: 5);
        _world.Run(put);
        _world.RunFor(TimeSpan.FromMinutes(2));

        var sent = _world.Transcript.Between(Device, Host).Select(static one => one.Bytes.ToArray()).ToList();
        sent.FindLastIndex(datagram => IdOf(datagram) == lost).Should().BeLessThan(sent.FindLastIndex(static datagram => IsFinishing(datagram)));
    }

    // All answers are lost until the client gives the session up. The server still has it.
    private void ReplaceSession(int blocks)
    {
        var before = _world.Transcript.Between(Host, Device).Count;
        _world.RunUntil(() => _world.Transcript.Between(Host, Device).Count >= before + blocks);
        var sessions = Finishes;
        var probe = _client.GetAsync("coaps://server/who").AsTask();
        var hellos = Hellos;
        BecomeDeafUntil(() => Hellos > hellos);
        _world.RunUntil(() => Finishes > sessions && probe.IsCompleted);
    }

    private int Finishes => _world.Transcript.Between(Device, Host).Count(static one => IsFinishing(one.Bytes.ToArray()));

    private void BecomeDeafUntil(Func<bool> condition)
    {
        _world.SetLink(Host, Device, Deaf);
        _world.RunUntil(condition);
        _world.SetLink(Host, Device, null);
    }

    private Reading Observe(out List<string> seen)
    {
        var reading = new Reading();
        seen = reading.Seen;
        reading.Task = _world.Run(() => Task.FromResult(reading.ReadAsync(_client.ObserveAsync("coaps://server/state"))));
        return reading;
    }

    private ValueTask<CoapResponse> Store(IncomingRequest request, CancellationToken cancellationToken)
    {
        _stored.Add((request.Peer.ToString(), request.Method, request.Payload.ToArray()));
        return new(Response.Changed);
    }

    private string? LastId() => IdOf(_world.Transcript.Between(Device, Host)[^1].Bytes.ToArray());

    private static string? IdOf(byte[] datagram) => datagram[0] == ConnectionIdRecord ? Convert.ToHexString(datagram, 11, 8) : null;

    private static bool IsHello(ReadOnlySpan<byte> datagram) => datagram[0] == Handshake && datagram[13] == ClientHello;

    // The datagram with ChangeCipherSpec, before the first record of a session.
    private static bool IsFinishing(byte[] datagram)
    {
        for (var at = 0; at + 13 <= datagram.Length && datagram[at] is Handshake or Finishing; at += 13 + (datagram[at + 11] << 8) + datagram[at + 12])
        {
            if (datagram[at] == Finishing) { return true; }
        }
        return false;
    }

    private sealed class Reading : IDisposable
    {
        private readonly CancellationTokenSource _over = new();

        public List<string> Seen { get; } = [];

        public Task? Task { get; set; }

        public async Task ReadAsync(CoapObservation observation)
        {
            try
            {
                await foreach (var notification in observation.WithCancellation(_over.Token)) { Seen.Add(notification.Response.PayloadText); }
            }
            catch (OperationCanceledException)
            {
                // The end of the test.
            }
        }

        public void Dispose() => _over.Cancel();
    }
}
