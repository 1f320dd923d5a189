using System.Net;
using System.Net.Sockets;
using System.Text;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Streams;

/// <summary>Large messages and their limits over sockets, in every form in which a server watches its connections.</summary>
[Trait("Category", "Loopback")]
public sealed class LargeOverSocketsTests : IAsyncDisposable
{
    private const int Large = 6 << 20;                                      // more than the buffers of both sockets
    private const int ReceiveBuffer = 256 << 10;                            // of the peers; else the system would let it grow
    private const string TakesAll = "50 e1 24 10000000";                    // Max-Message-Size 268,435,456
    private const string GetLarge = "61 01 01 b5 6c61726765";
    private const string GetHi = "31 01 43 b2 6869";
    private const string Hi = "414543c0ff6869";

    // Not kept longer than a test: others count what is on the heap.
    private byte[] _payload = LargeClient.Payload(Large);
    private readonly List<IAsyncDisposable> _owned = [];
    private int _asked;

    /// <summary>One lane that watches its connections, lanes that do, lanes whose connections post themselves, and threads.</summary>
    public static TheoryData<ServerMode, LaneForm> Forms => new()
    {
        { ServerMode.AsyncSingle, LaneForm.Thread },
        { ServerMode.Async, LaneForm.Thread },
        { ServerMode.Async, LaneForm.ThreadPool },
        { ServerMode.Sync, LaneForm.Thread },
    };

    public async ValueTask DisposeAsync()
    {
        foreach (var owned in _owned) { await owned.DisposeAsync(); }
        _payload = [];
    }

    [Theory, MemberData(nameof(Forms))]
    [Trait("RFC", "8323 3.2")]
    public async Task Large_messages_go_both_ways_unchanged_and_at_once(ServerMode mode, LaneForm form)
    {
        var server = Start(mode, form);
        await using var client = new CoapClient(new CoapClientSettings { Stream = Limits });
        var uri = $"coap+tcp://{server.Endpoints[0].Address}";

        var calls = Enumerable.Range(0, 6).Select(at => at % 3 == 2 ? client.GetAsync($"{uri}/large") : client.PutAsync($"{uri}/echo", _payload));
        var answers = await Task.WhenAll(calls.Select(call => call.AsTask())).WaitAsync(RawPeer.Patience);

        answers.Should().AllSatisfy(answer => answer.Payload.Span.SequenceEqual(_payload).Should().BeTrue());
    }

    [Theory, MemberData(nameof(Forms))]
    public async Task Reading_from_a_peer_resumes_when_it_has_read_its_answers(ServerMode mode, LaneForm form)
    {
        var server = Start(mode, form, stream => stream with { MaxUnreadSize = 1000 });
        using var peer = await OpenAsync(server);
        using var other = await OpenAsync(server);

        peer.Send(string.Concat(Enumerable.Repeat(GetLarge, 5)) + GetHi);
        await RoundTripsAsync(other);
        var asked = Volatile.Read(ref _asked);
        var answers = await peer.ReadAsync(6);

        asked.Should().BeLessThan(5, "the first answer is unread");
        answers.Take(5).Should().OnlyContain(answer => answer!.Length == answers[0]!.Length).And.OnlyContain(answer => answer!.Length > 2 * Large);
        answers[5].Should().Be(Hi);
    }

    [Theory, MemberData(nameof(Forms))]
    public async Task A_peer_with_too_many_unsent_bytes_gets_errors_and_keeps_its_connection(ServerMode mode, LaneForm form)
    {
        var server = Start(mode, form, stream => stream with { MaxUnreadSize = 4 * Large, MaxUnsentSize = Large / 2 });
        using var peer = await OpenAsync(server);
        using var other = await OpenAsync(server);

        peer.Send(string.Concat(Enumerable.Repeat(GetLarge, 5)) + GetHi);
        await RoundTripsAsync(other);
        var answers = await peer.ReadAsync(6);

        answers.Should().HaveCount(6).And.NotContainNulls().And.Contain(Hi);
        answers.Count(answer => answer!.Length > 2 * Large).Should().BeGreaterThan(0, "the first response fits").And.BeLessThan(5);
    }

    [Theory, MemberData(nameof(Forms))]
    public async Task A_peer_that_reads_nothing_loses_its_connection_after_the_set_time_and_makes_room(ServerMode mode, LaneForm form)
    {
        var server = Start(mode, form, sendTimeout: TimeSpan.FromMilliseconds(300));
        using var peer = await OpenAsync(server);

        peer.Send(GetLarge);
        await server.TakeTurnsUntilAsync(() => server.OpenConnections == 0);

        (await ReadPatientlyAsync(server, GetLarge + GetHi))[1].Should().Be(Hi);
    }

    [Theory, MemberData(nameof(Forms))]
    public async Task A_second_large_message_waits_for_the_first_and_small_ones_do_not(ServerMode mode, LaneForm form)
    {
        var server = Start(mode, form, inFlight: Large);
        using var first = await OpenAsync(server);
        using var second = await OpenAsync(server);
        using var third = await OpenAsync(server);
        var put = new StreamSerializer(OptionRegistry.Default).Serialize(
            new CoapMessage { Code = RequestCode.Put, Token = new Token([1]), Options = [new UriPath("size")], Payload = _payload });
        await first.SendAsync(put.AsMemory(0, Large / 2));
        await RoundTripsAsync(third);
        var (sending, reading) = (second.SendAsync(put), second.ReadAsync());

        await RoundTripsAsync(third);
        var isAnswered = reading.IsCompleted;
        await first.SendAsync(put.AsMemory(Large / 2));

        isAnswered.Should().BeFalse("there is room for one such message");
        (await first.ReadAsync()).Should().EndWith(Hex.Text(Encoding.ASCII.GetBytes($"{Large}")));
        (await reading).Should().EndWith(Hex.Text(Encoding.ASCII.GetBytes($"{Large}")));
        await sending;
    }

    // On a loaded host, a peer that reads may be too late as well. Then it asks again.
    private async Task<List<string?>> ReadPatientlyAsync(CoapServer server, string requests)
    {
        while (true)
        {
            using var peer = await OpenAsync(server);
            peer.Send(requests);
            try
            {
                var answers = await peer.ReadAsync(2);
                if (!answers.Contains(null)) { return answers; }
            }
            catch (InvalidOperationException) { }       // cut off in a message
        }
    }

    private static StreamSettings Limits => new() { MaxMessageSize = 2 * Large, AbortAboveSize = 2 * Large };

    private CoapServer Start(
        ServerMode mode, LaneForm form, Func<StreamSettings, StreamSettings>? change = null, TimeSpan? sendTimeout = null, long inFlight = 1 << 30)
    {
        var settings = new CoapServerSettings { Endpoints = [ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))], Mode = mode, LaneForm = form };
        var server = new CoapServer(settings with
        {
            Stream = change?.Invoke(Limits) ?? Limits,
            Tcp = new TcpSettings { SendTimeout = sendTimeout ?? TimeSpan.FromSeconds(30) },
            MaxInFlightSize = inFlight,
        });
        server.Resources.At("hi").Get((_, _) => new(Response.Content("hi")));
        server.Resources.At("size").Put((request, _) => new(Response.Content($"{request.Payload.Length}")));
        server.Resources.At("echo").Put((request, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = request.Payload }));
        server.Resources.At("large").Get((_, _) =>
        {
            Interlocked.Increment(ref _asked);
            return new(new CoapResponse(ResponseCode.Content) { Payload = _payload });
        });
        server.Start();
        _owned.Add(server);
        return server;
    }

    private static async Task<RawPeer> OpenAsync(CoapServer server)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = ReceiveBuffer };
        await socket.ConnectAsync(server.Endpoints[0].Address);
        var peer = new RawPeer(new TcpConnection(socket));
        peer.Send(TakesAll);
        await peer.ReadAsync();
        return peer;
    }

    // What was sent before on another connection of the lane has been looked at by then.
    private static async Task RoundTripsAsync(RawPeer peer)
    {
        for (var trip = 0; trip < 20; trip++)
        {
            peer.Send(GetHi);
            (await peer.ReadAsync()).Should().Be(Hi);
        }
    }
}
