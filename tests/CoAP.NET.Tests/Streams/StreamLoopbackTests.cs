using System.Net;
using System.Net.Sockets;
using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>Real sockets, in each of the three ways in which a server runs its connections.</summary>
[Trait("Category", "Loopback")]
public sealed class StreamLoopbackTests
{
    private const int Attempts = 20;

    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    public static TheoryData<ServerMode> Modes => [ServerMode.Async, ServerMode.AsyncSingle, ServerMode.Sync];

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task Sixty_four_requests_on_one_connection_are_answered_in_any_order(ServerMode mode)
    {
        await using var server = Start(mode);
        await using var client = new CoapClient();
        var uri = $"coap+tcp://{server.Endpoints[1].Address}/turn";

        var calls = Enumerable.Range(0, 64).Select(index => client.PostAsync($"{uri}?n={index}", default).AsTask()).ToArray();
        var answers = await Task.WhenAll(calls).WaitAsync(RawPeer.Patience);

        answers.Select(answer => answer.PayloadText).Should().Equal(Enumerable.Range(0, 64).Select(index => $"{index}"));
        server.OpenConnections.Should().Be(1);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task Sync_callers_are_served_as_well(ServerMode mode)
    {
        await using var server = Start(mode);
        using var client = new CoapClient();
        var uri = $"coap+tcp://{server.Endpoints[1].Address}/sync";

        var calls = Enumerable.Range(0, 8).Select(_ => Task.Factory.StartNew(
            () => Enumerable.Range(0, 50).Select(_ => client.Get(uri).PayloadText).Distinct().Single(), TaskCreationOptions.LongRunning));
        var answers = await Task.WhenAll(calls).WaitAsync(RawPeer.Patience);

        answers.Should().AllBe("sync");
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task A_stage_of_the_user_that_cannot_be_created_costs_one_connection_and_not_the_server(ServerMode mode)
    {
        var attempts = 0;
        using var log = new TestLog();
        var link = MeshLink.Stages(_ =>
        {
            if (Interlocked.Increment(ref attempts) == 1) { throw new InvalidOperationException("No stage this time."); }
        });
        await using var server = new CoapServer(new CoapServerSettings { Mode = mode, Endpoints = [ServerEndpoint.Tcp(AnyPort)], Links = [link], LoggerFactory = log });
        server.Resources.At("hello").Get(static _ => Response.Content("hello"));
        server.Start();
        await using var client = new CoapClient();
        var uri = $"coap+tcp://{server.Endpoints[0].Address}/hello";

        // A client would repeat its request where the connection ends before it has sent it.
        using var refused = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await refused.ConnectAsync(server.Endpoints[0].Address);
        (await refused.ReceiveAsync(new byte[1]).WaitAsync(RawPeer.Patience)).Should().Be(0, "the server ends the connection");
        var answer = await client.GetAsync(uri).AsTask().WaitAsync(RawPeer.Patience);

        answer.PayloadText.Should().Be("hello");
        log.Exceptions.Should().ContainSingle(exception => exception.Message == "No stage this time.");
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task A_message_larger_than_any_buffer_goes_both_ways(ServerMode mode)
    {
        var limits = new StreamSettings { MaxMessageSize = 8 << 20 };
        await using var server = Start(mode, limits);
        await using var client = new CoapClient(new CoapClientSettings { Stream = limits });
        var body = new byte[5 << 20];
        new Random(1).NextBytes(body);

        await client.GetAsync($"coap+tcp://{server.Endpoints[1].Address}/sync");
        var answer = await client.PostAsync($"coap+tcp://{server.Endpoints[1].Address}/echo", body).AsTask().WaitAsync(RawPeer.Patience);

        answer.Payload.Span.SequenceEqual(body).Should().BeTrue();
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task A_peer_that_ends_its_direction_at_once_still_gets_all_that_is_for_it(ServerMode mode)
    {
        await using var server = Start(mode);

        for (var repetition = 0; repetition < 50; repetition++)
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Connect(server.Endpoints[1].Address);
            if (repetition % 2 == 0) { socket.Send(Hex.Bytes("00 e1  51 01 7a b4 73796e63")); }   // CSM, GET /sync
            socket.Shutdown(SocketShutdown.Send);

            var received = ReadToEnd(socket);
            received.Should().Contain("e1", "the CSM comes first");
            if (repetition % 2 == 0) { received.Should().Contain("457a", "2.05 with the token follows"); }
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task A_server_that_ends_releases_its_clients_in_time_and_frees_the_port(ServerMode mode)
    {
        var server = Start(mode);
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(server.Endpoints[1].Address);
        var csm = new byte[6];
        socket.Receive(csm).Should().Be(csm.Length);

        var ending = server.DisposeAsync().AsTask();
        var received = ReadToEnd(socket);
        socket.Dispose();
        await ending.WaitAsync(RawPeer.Patience);

        received.Should().Contain("e4ff", "a Release with a diagnostic is the last word");
        using var again = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        again.Bind(server.Endpoints[1].Address);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task Connections_that_come_and_go_leave_nothing_behind(ServerMode mode)
    {
        await using var server = Start(mode);

        for (var i = 0; i < 200; i++)
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Connect(server.Endpoints[1].Address);
            if (i % 2 == 0) { socket.Send(Hex.Bytes("00 e1  e0 ffff 03")); }
        }
        await using var client = new CoapClient();
        (await client.GetAsync($"coap+tcp://{server.Endpoints[1].Address}/sync")).PayloadText.Should().Be("sync");

        await server.TakeTurnsUntilAsync(() => server.OpenConnections == 1);
    }

    [Fact]
    public async Task Both_transports_share_a_port_where_the_system_chooses_it()
    {
        // The port that the system chooses for one transport may be in use over the other.
        var shared = 0;
        for (var attempt = 0; attempt < Attempts && shared == 0; attempt++)
        {
            await using var server = Start(ServerMode.Async);
            if (server.Endpoints[1].Address.Equals(server.Endpoints[0].Address)) { shared++; }
        }

        shared.Should().Be(1);
    }

    [Fact]
    public async Task A_refused_connection_fails_sync_and_async_calls_at_once()
    {
        await using var client = new CoapClient();
        using var reserved = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        reserved.Bind(AnyPort);    // bound, but nobody listens
        var uri = $"coap+tcp://{reserved.LocalEndPoint}/";

        var async = async () => await client.GetAsync(uri).AsTask().WaitAsync(RawPeer.Patience);
        var sync = () => client.Get(uri);

        (await async.Should().ThrowAsync<CoapTransportException>()).WithInnerException<SocketException>()
            .Which.SocketErrorCode.Should().Be(SocketError.ConnectionRefused);
        sync.Should().Throw<CoapTransportException>().WithInnerException<SocketException>();
    }

    private static string ReadToEnd(Socket socket)
    {
        var received = new List<byte>();
        var buffer = new byte[256];
        while (socket.Receive(buffer) is var count and > 0) { received.AddRange(buffer.AsSpan(0, count)); }
        return Hex.Text([.. received]);
    }

    private static CoapServer Start(ServerMode mode, StreamSettings? limits = null)
    {
        var server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.Udp(AnyPort), ServerEndpoint.Tcp(AnyPort)],
            Mode = mode,
            Stream = limits ?? new StreamSettings(),
        });
        server.Resources.At("sync").Get(_ => Response.Content("sync"));
        server.Resources.At("echo").Post((request, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = request.Payload }));
        var waiting = new List<(string Number, TaskCompletionSource<CoapResponse> Answer)>();
        server.Resources.At("turn").Post(async (request, _) =>
        {
            var answer = new TaskCompletionSource<CoapResponse>(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (waiting)
            {
                waiting.Add((request.Query("n")!, answer));
                if (waiting.Count == 64) { waiting.Reverse(); waiting.ForEach(one => one.Answer.SetResult(Response.Content(one.Number))); }
            }
            return await answer.Task;
        });
        server.Start();
        return server;
    }
}
