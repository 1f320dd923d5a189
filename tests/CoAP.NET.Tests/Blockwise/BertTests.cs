using CoAP.Options;
using CoAP.Serialization;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Blockwise;

/// <summary>Bodies over connections, with several blocks in a message where the peer can (RFC 8323, section 6).</summary>
public sealed class BertTests
{
    private static readonly CoapMessageSerializer Form = CoapMessageSerializer.Stream;
    private static readonly byte[] Body = [.. Enumerable.Range(0, 12_903).Select(i => (byte)((i * 7) ^ (i >> 8)))];

    private byte[] _received = [];

    // CoAP Client                             CoAP Server
    //   | GET, /status                       ------> |
    //   | <------   2.05 Content, 2:0/1/BERT(3072)   |
    //   | GET, /status, 2:3/0/BERT           ------> |
    //   | <------   2.05 Content, 2:3/1/BERT(5120)   |
    //   | GET, /status, 2:8/0/BERT          ------>  |
    //   | <------   2.05 Content, 2:8/0/BERT(4711)   |
    [Fact, Trait("RFC", "8323 6.1")]
    public async Task GET_with_BERT_blocks()
    {
        await using var host = Host();
        using var peer = await OpenAsync(host, maxMessageSize: 3200, blockWise: true);

        Check(await Exchange(peer, Get("status")), 0, 3072, new Block2(0, true, 7));
        Check(await Exchange(peer, Csm(5300), Get("status", new Block2(3, false, 7))), 3072, 5120, new Block2(3, true, 7));
        Check(await Exchange(peer, Get("status", new Block2(8, false, 7))), 8192, 4711, new Block2(8, false, 7));
    }

    // CoAP Client                             CoAP Server
    //   | PUT, /options, 1:0/1/BERT(8192)     ------> |
    //   | <------   2.31 Continue, 1:0/1/BERT         |
    //   | PUT, /options, 1:8/1/BERT(16384)    ------> |
    //   | <------   2.31 Continue, 1:8/1/BERT         |
    //   | PUT, /options, 1:24/0/BERT(5683)    ------> |
    //   | <------   2.04 Changed, 1:24/0/BERT         |
    [Fact, Trait("RFC", "8323 6.2")]
    public async Task PUT_with_BERT_blocks()
    {
        await using var host = Host();
        using var peer = await OpenAsync(host, 1152, blockWise: false);
        byte[] body = [.. Body, .. Body, .. Body[..4453]];

        await Put(peer, body[..8192], new Block1(0, true, 7), ResponseCode.Continue);
        await Put(peer, body[8192..24_576], new Block1(8, true, 7), ResponseCode.Continue);
        await Put(peer, body[24_576..], new Block1(24, false, 7), ResponseCode.Changed);

        _received.Should().Equal(body);
    }

    [Theory, Trait("RFC", "8323 5.3.2")]
    [InlineData(1152, true, 6), InlineData(1000, true, 5)]
    public async Task Without_room_for_BERT_the_blocks_are_those_that_fit(int maxMessageSize, bool blockWise, int exponent)
    {
        await using var host = Host();
        using var peer = await OpenAsync(host, maxMessageSize, blockWise);

        Check(await Exchange(peer, Get("status")), 0, 16 << exponent, new Block2(0, true, exponent));
    }

    [Fact, Trait("RFC", "8323 5.3.2")]
    public async Task A_peer_that_has_not_announced_blocks_gets_them_but_no_BERT()
    {
        await using var host = Host();
        using var peer = await OpenAsync(host, maxMessageSize: 4000, blockWise: false);

        Check(await Exchange(peer, Get("status")), 0, 1024, new Block2(0, true, 6));
        Check(await Exchange(peer, Get("status", new Block2(0, false, 2))), 0, 64, new Block2(0, true, 2));
    }

    [Fact]
    public async Task A_body_that_fits_into_one_message_is_not_split()
    {
        await using var host = Host();
        using var peer = await OpenAsync(host, maxMessageSize: 20_000, blockWise: true);

        var answer = await Exchange(peer, Get("status"));

        answer.Payload.ToArray().Should().Equal(Body);
        answer.Options.Contains<Block2>().Should().BeFalse();
    }

    private static void Check(CoapMessage answer, int offset, int length, Block2 block)
    {
        answer.Code.Should().Be(ResponseCode.Content);
        answer.Options.Get<Block2>().Should().Be(block);
        answer.Payload.ToArray().Should().Equal(Body[offset..(offset + length)]);
    }

    private static async Task Put(RawPeer peer, byte[] part, Block1 block, CoapCode code)
    {
        var answer = await Exchange(peer, new CoapMessage { Code = RequestCode.Put, Options = [new UriPath("options"), block], Payload = part });

        answer.Code.Should().Be(code);
        answer.Options.Get<Block1>().Should().Be(block);
    }

    private static CoapMessage Get(string path, params CoapOption[] options) =>
        new() { Code = RequestCode.Get, Token = new Token(new byte[] { 7 }), Options = [new UriPath(path), .. options] };

    private static CoapMessage Csm(int maxMessageSize, params CoapOption[] options) =>
        new() { Code = SignalCode.Csm, Options = [new MaxMessageSize((uint)maxMessageSize), .. options] };

    private static async Task<CoapMessage> Exchange(RawPeer peer, params CoapMessage[] messages)
    {
        foreach (var message in messages) { await peer.SendAsync(Form.Serialize(message)); }
        return Form.Deserialize(Hex.Bytes((await peer.ReadAsync())!));
    }

    private static async Task<RawPeer> OpenAsync(StreamHost host, int maxMessageSize, bool blockWise)
    {
        var peer = await host.OpenAsync();
        await peer.SendAsync(Form.Serialize(blockWise ? Csm(maxMessageSize, new BlockWiseTransfer()) : Csm(maxMessageSize)));
        return peer;
    }

    private StreamHost Host()
    {
        var host = new StreamHost();
        host.Server.Resources.At("status").Get((_, _) => new(new CoapResponse(ResponseCode.Content) { Options = [new ETag(new byte[] { 1 })], Payload = Body }));
        host.Server.Resources.At("options").Put((request, _) =>
        {
            _received = request.Payload.ToArray();
            return new(Response.Changed);
        });
        return host;
    }
}
