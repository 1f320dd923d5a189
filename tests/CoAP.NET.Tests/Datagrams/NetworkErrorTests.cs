using System.Net.Sockets;
using CoAP.Testing;
using CoAP.Transports;

namespace CoAP.Tests.Datagrams;

/// <summary>What an error of the network quotes: a datagram of ours, and those that left together with it.</summary>
public sealed class NetworkErrorTests : IDisposable
{
    private readonly Wire _wire = new(new ManualTime());
    private readonly ScriptedPeer _server;
    private readonly LaneEnd _client;

    public NetworkErrorTests()
    {
        _server = ScriptedPeer.Server(_wire);
        _client = LaneEnd.Client(_wire, new() { Transmission = new() { NStart = 3 } });
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact]
    [Trait("RFC", "7252 4.2")]
    public void All_datagrams_in_the_quote_fail_but_not_what_is_no_datagram()
    {
        var (calls, sent) = Begin();
        sent[1][0] &= 0x3F;     // version 0

        Report([.. sent[0], .. sent[1], .. sent[2]]);

        calls.Select(call => call.IsFaulted).Should().Equal(true, false, true);
    }

    [Theory]
    [InlineData(1200, true)]
    [InlineData(1280, false)]       // the least MTU of IPv6, which no error of ICMP exceeds (RFC 4443, section 2.4)
    public void A_quote_is_searched_as_far_as_one_may_be_long(int between, bool isFound)
    {
        var (calls, sent) = Begin();

        Report([.. sent[0], .. new byte[between], .. sent[1]]);

        calls.Select(call => call.IsFaulted).Should().Equal(true, isFound, false);
    }

    private (Task<CoapResponse>[] Calls, byte[][] Sent) Begin()
    {
        Task<CoapResponse>[] calls = [_client.Get("/a"), _client.Get("/b"), _client.Get("/c")];
        _wire.RunFor(TimeSpan.FromSeconds(0.1));
        return (calls, [.. _wire.Sent(Direction.ToServer).Select(datagram => datagram.Bytes.ToArray())]);
    }

    private void Report(byte[] quoted)
    {
        var key = new ChannelKey(_wire.Server, _client.Lane.LocalFor(_wire.Server));
        ((IDatagramReceiver)_client.Lane).OnNetworkError(key, quoted, SocketError.ConnectionRefused);
        _wire.RunFor(TimeSpan.FromSeconds(0.1));
    }
}
