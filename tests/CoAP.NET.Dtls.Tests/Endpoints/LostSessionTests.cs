using System.Net;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Sessions that end: one side restarts or closes.</summary>
public sealed class LostSessionTests
{
    private const byte Alert = 21;

    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);
    private static readonly TransmissionParameters Fast = TransmissionParameters.Default with { AckTimeout = TimeSpan.FromMilliseconds(200) };

    [Theory, InlineData(true), InlineData(false)]
    public async Task A_client_begins_a_new_session_with_a_server_that_has_restarted(bool saysGoodbye)
    {
        using var relay = Serve(out var first, out var counts);
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key }, Transmission = Fast });
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        await client.GetAsync(origin + "/count");
        relay.Passes = (_, toServer) => saysGoodbye || toServer;      // otherwise, the last alert of the server is lost
        await first.StopAsync();
        relay.Passes = static (_, _) => true;
        await using var second = Start(first.Endpoints[0].Address, counts);

        var answer = await client.GetAsync(origin + "/count");

        answer.IsSuccess.Should().BeTrue();
    }

    // The network loses three answers to one block in a row. The fourth comes before another session is needed.
    [Theory, InlineData(true), InlineData(false)]
    public async Task A_session_goes_on_in_the_middle_of_an_upload_when_three_answers_to_one_block_are_lost(bool isSync)
    {
        using var relay = Serve(out var server, out var counts);
        await using var ends = server;
        // Long enough that an answer comes before the next copy, also on a loaded host.
        var transmission = Fast with { AckTimeout = TimeSpan.FromMilliseconds(700) };
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key }, Transmission = transmission });
        var (passed, lost, hellos) = (0, 0, 0);
        relay.Passes = (datagram, toServer) =>
        {
            const byte ApplicationData = 23, Handshake = 22, ClientHello = 1;
            if (toServer && datagram[0] == Handshake && datagram[13] == ClientHello) { hellos++; }
            return toServer || ++passed <= 12 || datagram[0] != ApplicationData || ++lost > 3;
        };
        var request = new CoapRequest(RequestCode.Post, $"coaps://127.0.0.1:{relay.Port}/count") { Payload = new byte[20_000] };

        var answer = isSync ? await Task.Run(() => client.Send(request)) : await client.SendAsync(request);

        answer.IsSuccess.Should().BeTrue(answer.ToString());
        (lost, hellos, counts.Posts).Should().Be((Math.Max(lost, 4), 2, 1));
    }

    // The server has acted on the POST, and its answer is lost. With a new session, it could not recognize the repetition.
    [Theory, InlineData(true), InlineData(false)]
    [Trait("RFC", "7252 9.1.1")]
    public async Task A_POST_is_not_repeated_in_another_session_and_fails_when_that_begins(bool isRetransmitted)
    {
        using var relay = Serve(out var first, out var counts);
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key }, Transmission = Fast with { NStart = 2 } });
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        await client.GetAsync(origin + "/count");
        var posted = new TaskCompletionSource();
        counts.Posted = posted.SetResult;
        var ended = new TaskCompletionSource();
        relay.Passes = (datagram, toServer) =>
        {
            if (!toServer && datagram[0] == Alert) { ended.TrySetResult(); }
            return toServer;
        };
        var request = new CoapRequest(RequestCode.Post, origin + "/count") { Transmission = isRetransmitted ? Fast : Fast with { AckTimeout = TimeSpan.FromHours(1) } };
        var post = client.SendAsync(request).AsTask();
        await posted.Task;
        await first.StopAsync();
        await ended.Task;       // it follows the answer, so both are lost
        relay.Passes = static (_, _) => true;
        await using var second = Start(first.Endpoints[0].Address, counts);
        var get = client.GetAsync(origin + "/count").AsTask();

        var waiting = async () => await post.WaitAsync(TimeSpan.FromMinutes(1));

        (await waiting.Should().ThrowAsync<CoapTransportException>()).WithMessage("*session with*was lost*unknown*");
        (await get).IsSuccess.Should().BeTrue();
        counts.Posts.Should().Be(1);
    }

    // It has the message ID and the token of the request, and comes from the address of the server, but not through the session.
    [Fact, Trait("RFC", "7252 9.1.2"), Trait("RFC", "7252 9.1.1")]
    public async Task A_plain_response_to_a_secured_request_is_ignored()
    {
        using var relay = Serve(out var server, out _);
        await using var ends = server;
        byte[]? request = null;
        var tap = MeshLink.Filter(MeshArrow.FramesOut, frame =>
        {
            request = frame.Bytes.ToArray();
            return true;
        });
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key }, Transmission = Fast, Links = [tap] });
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        await client.GetAsync(origin + "/count");
        var isForged = false;
        relay.Passes = (_, toServer) =>
        {
            if (toServer || isForged) { return true; }
            isForged = true;
            byte[] forged = [(byte)(0x60 | (request![0] & 15)), 0x45, .. request[2..(4 + (request[0] & 15))], 0xFF, .. "forged"u8];
            relay.Inject(forged);
            return false;
        };

        var answer = await client.GetAsync(origin + "/count");

        isForged.Should().BeTrue();
        answer.PayloadText.Should().Be("0");
    }

    [Fact]
    public async Task A_server_forgets_the_session_of_a_client_that_closes()
    {
        await using var cut = new SecuredPair(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = Key }, isInMemory: true);
        PeerIdentity peer = default;
        cut.Server.Resources.At("peer").Get((request, _) =>
        {
            peer = request.Peer;
            return new(Response.Content("x"));
        });
        await cut.Client.GetAsync(cut.Origin + "/peer");
        await cut.Client.DisposeAsync();

        var ask = async () => await cut.Server.OpenChannel(peer).GetAsync("/x");

        (await ask.Should().ThrowAsync<CoapTransportException>()).WithMessage("*session*has ended*");
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task A_server_sends_requests_to_a_device_over_its_session(bool isInMemory)
    {
        await using var cut = new SecuredPair(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = Key }, isInMemory);
        cut.Client.Resources.At("lamp").Get(static (request, _) => new(Response.Content($"on, {request.Credentials?.PreSharedKeyIdentity}")));
        var peer = new TaskCompletionSource<PeerIdentity>();
        cut.Server.Resources.At("register").Post((request, _) =>
        {
            peer.TrySetResult(request.Peer);
            return new(Response.Created);
        });
        await cut.Client.PostAsync(cut.Origin + "/register", "x"u8.ToArray());

        var lamp = await cut.Server.OpenChannel(await peer.Task).GetAsync("/lamp");

        lamp.PayloadText.Should().Be("on, device-7");
    }

    private static UdpRelay Serve(out CoapServer server, out Counts counts)
    {
        counts = new Counts();
        server = Start(LastingPorts.NextUdp(), counts);
        return new UdpRelay(server.Endpoints[0].Address);
    }

    private static CoapServer Start(IPEndPoint address, Counts counts)
    {
        var server = new CoapServer(new() { Endpoints = [ServerEndpoint.Dtls(address)], Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key) } });
        server.Resources.At("count").Get((_, _) => new(Response.Content($"{counts.Posts}"))).Post((_, _) =>
        {
            counts.Posts++;
            counts.Posted?.Invoke();
            return new(Response.Changed);
        });
        server.Start();
        return server;
    }

    private sealed class Counts
    {
        public int Posts { get; set; }

        public Action? Posted { get; set; }
    }
}
