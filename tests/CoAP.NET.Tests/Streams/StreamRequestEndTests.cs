using CoAP.Lanes;
using CoAP.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>Each request over a connection has exactly one end, also if no handler sees it or its answer cannot be sent.</summary>
public sealed class StreamRequestEndTests : IAsyncDisposable
{
    private const string GetHi = "31 01 7a b2 68 69";

    private readonly StreamHost _host = new(settings => settings with { Stream = new StreamSettings { MaxMessageSize = 1000 } });

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Fact]
    public async Task A_request_that_is_too_large_is_refused()
    {
        using var peer = await _host.OpenAsync();

        await peer.SendAsync((byte[])[.. Hex.Bytes("e1 0753 03 aa b4 73697a65 ff"), .. new byte[2144 - 6]]);

        (await peer.ReadAsync()).Should().Be("418daad22f03e8");
        await ExpectOnlyAsync(RequestEnd.Refused, peer);
    }

    [Fact]
    public async Task A_request_that_arrives_while_the_endpoint_stops_is_refused()
    {
        using var peer = await _host.OpenAsync();
        peer.Send("71 01 01 b4 77616974 01 61");    // GET wait/a
        peer.Send("01 e2 42");
        (await peer.ReadAsync()).Should().Be("01e342", "the lane has read the request");

        var drained = Task.WhenAll(Lanes.Select(static lane => lane.DrainAsync(CancellationToken.None)));
        peer.Send(GetHi);

        (await peer.ReadAsync()).Should().Be("31a37ad10101", "5.03 with a Max-Age of 1 s");
        await ExpectOnlyAsync(RequestEnd.Refused, peer);
        _host.Gate("a").SetResult();
        (await peer.ReadAsync()).Should().Contain("ff61");
        await drained.WaitAsync(RawPeer.Patience);
    }

    [Fact]
    public async Task A_request_fails_if_its_answer_is_larger_than_the_peer_accepts()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("20 e1 21 20");                                           // Max-Message-Size 32, too small for a block
        peer.Send("c1 01 01 b5 6c61726765 45 6e3d313030");                  // GET large?n=100

        (await peer.ReadAsync()).Should().Be("01a001");
        await ExpectOnlyAsync(RequestEnd.Failed, peer);
    }

    private StreamLane[] Lanes => [.. _host.Server.Lanes.OfType<StreamLane>()];

    private async Task ExpectOnlyAsync(RequestEnd end, RawPeer peer)
    {
        peer.Send("01 e2 43");
        (await peer.ReadAsync()).Should().Be("01e343", "the lane has counted what it has answered before");

        Lanes.Sum(lane => lane.Metrics[end]).Should().Be(1);
        Enum.GetValues<RequestEnd>().Sum(way => Lanes.Sum(lane => lane.Metrics[way])).Should().Be(1);
    }
}
