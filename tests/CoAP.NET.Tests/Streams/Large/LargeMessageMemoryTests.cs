using System.Net;
using System.Net.Sockets;
using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>What a message of 16 MiB costs in memory, counted; alone, because the memory counted is the whole process's.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class LargeMessageMemoryTests
{
    private const int Size = 16 << 20;
    private const int Slack = Size / 20;                        // a twentieth: neither a copy nor a half of one goes unseen
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    public static TheoryData<ServerMode> Modes => [ServerMode.Async, ServerMode.Sync];

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task A_request_costs_its_size_once_on_both_sides_together(ServerMode mode)
    {
        await using var server = Start(mode);
        await using var client = NewClient();
        var uri = $"coap+tcp://{server.Endpoints[0].Address}/size";
        var payload = LargeClient.Payload(Size);
        await client.PutAsync(uri, new byte[100]);

        var allocated = await AllocatedAsync(async () => (await client.PutAsync(uri, payload)).PayloadText.Should().Be($"{Size}"));

        allocated.Should().BeInRange(Size, Size + Slack);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task An_answer_costs_its_size_once_on_both_sides_together(ServerMode mode)
    {
        await using var server = Start(mode);
        await using var client = NewClient();
        var uri = $"coap+tcp://{server.Endpoints[0].Address}/large";
        await client.GetAsync($"coap+tcp://{server.Endpoints[0].Address}/hi");

        var allocated = await AllocatedAsync(async () => (await client.GetAsync(uri)).Payload.Length.Should().Be(Size));

        allocated.Should().BeInRange(Size, Size + Slack);
    }

    [Fact]
    public void A_sync_caller_pays_no_more()
    {
        using var server = Start(ServerMode.Sync);
        using var client = NewClient();
        var uri = $"coap+tcp://{server.Endpoints[0].Address}/size";
        var payload = LargeClient.Payload(Size);
        client.Put(uri, new byte[100]);

        var before = GC.GetTotalAllocatedBytes(precise: true);
        var answer = client.Put(uri, payload);
        var allocated = GC.GetTotalAllocatedBytes(precise: true) - before;

        answer.PayloadText.Should().Be($"{Size}");
        allocated.Should().BeInRange(Size, Size + Slack);
    }

    [Fact]
    public async Task A_large_request_needs_little_memory_while_the_peer_reads_it()
    {
        using var listener = new TcpListener(AnyPort);
        listener.Start();
        await using var client = NewClient();
        var call = client.PutAsync($"coap+tcp://{listener.LocalEndpoint}/a", LargeClient.Payload(Size)).AsTask();
        using var peer = await listener.AcceptSocketAsync();
        var buffer = new byte[64 << 10];
        await peer.ReceiveAsync(buffer);
        await peer.SendAsync(Hex.Bytes("60 e1 24 02000000 20"));        // Max-Message-Size 33,554,432

        var allocated = await AllocatedAsync(async () =>
        {
            for (var taken = 0; taken < Size;) { taken += await peer.ReceiveAsync(buffer); }
        });
        peer.Close();

        allocated.Should().BeLessThan(Slack);
        (await Record.ExceptionAsync(() => call.WaitAsync(RawPeer.Patience))).Should().BeOfType<CoapTransportException>();
    }

    [Fact]
    public async Task An_announced_message_needs_little_memory_until_it_arrives()
    {
        await using var server = Start(ServerMode.Async);
        using var peer = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(server.Endpoints[0].Address);
        await peer.SendAsync(Hex.Bytes("00 e1  00 e2"));
        await peer.ReceiveAsync(new byte[100]);

        var allocated = await AllocatedAsync(async () =>
        {
            await peer.SendAsync(Hex.Bytes("f0 01f00000 03 b4 73697a65 ff"));       // a PUT of 31 MiB
            await peer.SendAsync(new byte[100_000]);
            while (peer.Poll(0, SelectMode.SelectRead)) { await peer.ReceiveAsync(new byte[100]); }
        });

        allocated.Should().BeLessThan(Slack);
    }

    private static async Task<long> AllocatedAsync(Func<Task> action)
    {
        var before = GC.GetTotalAllocatedBytes(precise: true);
        await action().WaitAsync(RawPeer.Patience);
        return GC.GetTotalAllocatedBytes(precise: true) - before;
    }

    private static CoapServer Start(ServerMode mode)
    {
        var large = new CoapResponse(ResponseCode.Content) { Payload = LargeClient.Payload(Size) };
        var server = new CoapServer(new CoapServerSettings { Endpoints = [ServerEndpoint.Tcp(AnyPort)], Mode = mode, Stream = Limits });
        server.Resources.At("hi").Get((_, _) => new(Response.Content("hi")));
        server.Resources.At("size").Put((request, _) => new(Response.Content($"{request.Payload.Length}")));
        server.Resources.At("large").Get((_, _) => new(large));
        server.Start();
        return server;
    }

    private static CoapClient NewClient() => new(new CoapClientSettings { Stream = Limits });

    private static StreamSettings Limits => new() { MaxMessageSize = 32 << 20, AbortAboveSize = 32 << 20 };
}
