using System.Net.Sockets;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Datagrams;

/// <summary>What an error of the network quotes: a datagram of ours, and those that left together with it.</summary>
public sealed class NetworkErrorTests : IDisposable
{
    private const int PathLength = 2;       // the option Uri-Path "a"

    private readonly Wire _wire = new(new ManualClock());
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

    [Theory]
    [Trait("RFC", "8974 2.1")]
    [InlineData(8)]
    [InlineData(13)]        // one byte of extended length
    [InlineData(269)]       // two bytes of extended length
    public void A_request_fails_only_if_the_quote_has_its_token_whatever_the_length(int length)
    {
        var token = new Token([.. Enumerable.Range(0, length).Select(i => (byte)i)]);
        var call = _client.Send(new CoapRequest(RequestCode.Get, "/a") { Token = token });
        _wire.RunFor(TimeSpan.FromSeconds(0.1));
        var sent = _wire.Sent(Direction.ToServer)[0].Bytes.ToArray();
        byte[] ofAnother = [.. sent];
        ofAnother[^(1 + PathLength)] ^= 1;      // the last byte of the token

        Report(ofAnother);
        var failsForAnother = call.IsFaulted;
        Report(sent);

        (failsForAnother, call.IsFaulted).Should().Be((false, true));
    }

    [Theory]
    [Trait("RFC", "8974 2.1")]
    [InlineData(4)]         // the header
    [InlineData(5)]         // half of the extended length
    [InlineData(6)]
    [InlineData(16)]
    public void A_quote_may_end_before_or_within_an_extended_token(int quotedLength)
    {
        var call = _client.Send(new CoapRequest(RequestCode.Get, "/a") { Token = new Token(new byte[300]) });
        _wire.RunFor(TimeSpan.FromSeconds(0.1));

        Report(_wire.Sent(Direction.ToServer)[0].Bytes.ToArray()[..quotedLength]);

        call.IsFaulted.Should().BeTrue();
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
