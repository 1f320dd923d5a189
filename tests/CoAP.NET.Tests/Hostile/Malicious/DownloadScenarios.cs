using CoAP.Options;
using static CoAP.Tests.Hostile.Malicious.MaliciousScenario;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>The ways in which a server can try to hang a client by the blocks of a response.</summary>
internal static class DownloadScenarios
{
    public static IReadOnlyList<MaliciousScenario> All { get; } =
    [
        new("endless blocks", Get, static (server, request) => Block(server, request), MaliciousEnd.Broken("MaxResponseBody")),
        new("endless blocks of 16 bytes", Get, static (server, request) => Block(server, request, exponent: 0), MaliciousEnd.Broken("MaxResponseBody")),
        new("endless empty blocks", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6)]),
            MaliciousEnd.Broken("payload of 0 bytes although more follow")),
        new("blocks that shrink", Get, static (server, request) => Block(server, request, exponent: Math.Max(0, 6 - NumberOf(request))),
            MaliciousEnd.Broken("MaxResponseBody")),
        new("blocks that grow", Get, static (server, request) => Block(server, request, exponent: Math.Min(6, NumberOf(request))), MaliciousEnd.Broken("Block")),
        new("the first block for ever", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(0, true, 6)], 1024),
            MaliciousEnd.Broken("instead of the block at byte 1024")),
        new("a block from the middle", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(7, true, 6)], 1024),
            MaliciousEnd.Broken("instead of the block at byte 0")),
        new("the last block number", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(0xFFFFF, true, 6)], 1024),
            MaliciousEnd.Broken("instead of the block at byte 0")),
        new("blocks in reverse", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Block2(5 - NumberOf(request), true, 6)], 1024), MaliciousEnd.Broken("instead of the block at byte 0")),
        new("a block with the reserved size", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(0, true, 7)], 1024),
            MaliciousEnd.Broken("reserved for reliable transports")),
        new("blocks that are too short", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6)], 5), MaliciousEnd.Broken("payload of 5 bytes although more follow")),
        new("a new ETag in each block", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new ETag(BitConverter.GetBytes(server.Count)), new Block2(NumberOf(request), true, 6)], 1024),
            MaliciousEnd.Broken("The representation has changed")),
        new("a new format in each block", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new ContentFormat((uint)server.Count), new Block2(NumberOf(request), true, 6)], 1024),
            MaliciousEnd.Broken("another Content-Format")),
        new("a new code in each block", Get, static (server, request) => server.Answer(
            request, NumberOf(request) % 2 == 0 ? ResponseCode.Content : ResponseCode.Changed, [new Block2(NumberOf(request), true, 6)], 1024),
            MaliciousEnd.Broken("has the code")),
        new("an error in the middle", Get, static (server, request) => server.Answer(
            request, NumberOf(request) < 5 ? ResponseCode.Content : ResponseCode.NotFound, [new Block2(NumberOf(request), true, 6)], 1024),
            MaliciousEnd.Answer("4.04")),
        new("silence in the middle", Get, static (server, request) =>
        {
            if (NumberOf(request) < 5) { Block(server, request); }
        }, MaliciousEnd.Broken("transfer with server failed")),
        new("a Reset in the middle", Get, static (server, request) =>
        {
            if (NumberOf(request) < 5) { Block(server, request); }
            else { server.Empty(request, MessageType.Reset); }
        }, MaliciousEnd.Broken("server rejected the message with a Reset")),
        new("Echo in the middle for ever", Get, static (server, request) =>
        {
            if (NumberOf(request) < 5) { Block(server, request); }
            else { server.Answer(request, ResponseCode.Unauthorized, [new Echo(BitConverter.GetBytes(server.Count))]); }
        }, MaliciousEnd.Answer("4.01")),
        new("a Size2 of 4 GiB", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6), new Size2(uint.MaxValue)], 1024),
            MaliciousEnd.Broken("MaxResponseBody")),
        new("a Size2 of 1", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6), new Size2(1)], 1024), MaliciousEnd.Broken("MaxResponseBody")),
        new("a Size2 that grows", Get, static (server, request) => server.Answer(
            request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6), new Size2((uint)(NumberOf(request) + 2) << 10)], 1024),
            MaliciousEnd.Broken("MaxResponseBody")),
        new("blocks of RFC 9177 that nobody asked for", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new ETag(new byte[] { 1 }), new QBlock2(0, true, 6), new Size2(5000)], 1024),
            MaliciousEnd.Broken("server answered with a block of another kind")),
        new("a drip of blocks of 16 bytes", Get, static (server, request) =>
        {
            server.Empty(request, MessageType.Acknowledgement);
            server.Separately(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 0)], 16, after: 90);
        }, new(typeof(CoapTimeoutException), "slower than 16 bytes a second", MaliciousEnd.Slow)),
        new("a drip after a fast start", Get, static (server, request) =>
        {
            if (NumberOf(request) < 5)
            {
                Block(server, request);
                return;
            }
            server.Empty(request, MessageType.Acknowledgement);
            server.Separately(request, ResponseCode.Content, [Sixteen(request)], 16, after: 90);
        }, new(typeof(CoapTimeoutException), "slower than 16 bytes a second", MaliciousEnd.Slow)),
        new("a block every four minutes", Get, static (server, request) =>
        {
            server.Empty(request, MessageType.Acknowledgement);
            server.Separately(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6)], 1024, after: 240);
        }, MaliciousEnd.Silent("server")),
        new("a storm of separate responses", Get, static (server, request) =>
            Times(2000, () => server.Separately(request, ResponseCode.Content, [new Block2(0, true, 6)], 1024, type: MessageType.Confirmable)),
            MaliciousEnd.Broken("instead of the block at byte 1024")),
        new("an endless drip within Timeout", static () => new(RequestCode.Get, "/x") { Timeout = TimeSpan.FromSeconds(30) }, static (server, request) =>
        {
            server.Empty(request, MessageType.Acknowledgement);
            server.Separately(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6)], 1024, after: 1);
        }, MaliciousEnd.Silent("30 s (Timeout)", seconds: 30)),
    ];

    private static void Block(MaliciousServer server, CoapMessage request, int exponent = 6) =>
        server.Answer(request, ResponseCode.Content, [new Block2(OffsetOf(request, exponent) >> (exponent + 4), true, exponent)], 16 << exponent);

    private static Block2 Sixteen(CoapMessage request) => new(OffsetOf(request, 0) >> 4, true, 0);

    // The number is counted in the size that the request asks for.
    private static int OffsetOf(CoapMessage request, int exponent) =>
        NumberOf(request) << ((request.Options.Get<Block2>()?.SizeExponent ?? exponent) + 4);
}
