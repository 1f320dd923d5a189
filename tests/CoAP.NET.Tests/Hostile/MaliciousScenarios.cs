using System.Text;
using CoAP.Options;

namespace CoAP.Tests.Hostile;

/// <summary>A request, and a server that reacts to each message of the client as no server should.</summary>
internal sealed record MaliciousScenario(string Name, Func<CoapRequest> Request, Action<MaliciousServer, CoapMessage> React);

/// <summary>The ways in which a server over datagrams can try to hang a client.</summary>
internal static class MaliciousScenarios
{
    public static IReadOnlyList<MaliciousScenario> All { get; } =
    [
        new("silence", Get, static (_, _) => { }),
        new("silence for a non-confirmable request", static () => new(RequestCode.Get, "/x") { IsConfirmable = false }, static (_, _) => { }),
        new("silence for an upload", Put, static (_, _) => { }),
        new("an acknowledgement and silence", Get, static (server, request) => server.Empty(request, MessageType.Acknowledgement)),
        new("an acknowledgement and silence in an upload", Put, static (server, request) => server.Empty(request, MessageType.Acknowledgement)),
        new("a Reset", Get, static (server, request) => server.Empty(request, MessageType.Reset)),
        new("a storm of Resets", Get, static (server, request) => Times(1000, () => server.Empty(request, MessageType.Reset))),
        new("a storm of acknowledgements", Get, static (server, request) => Times(1000, () => server.Empty(request, MessageType.Acknowledgement))),
        new("a Reset after the acknowledgement", Get, static (server, request) =>
        {
            server.Empty(request, MessageType.Acknowledgement);
            server.Empty(request, MessageType.Reset);
        }),
        new("endless blocks", Get, static (server, request) => Block(server, request, hasMore: true)),
        new("endless blocks of 16 bytes", Get, static (server, request) => Block(server, request, hasMore: true, exponent: 0)),
        new("endless empty blocks", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6)])),
        new("blocks that shrink", Get, static (server, request) =>
        {
            var exponent = Math.Max(0, 6 - NumberOf(request));
            server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, exponent)], 16 << exponent);
        }),
        new("blocks that grow", Get, static (server, request) =>
        {
            var exponent = Math.Min(6, NumberOf(request));
            server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, exponent)], 16 << exponent);
        }),
        new("the first block for ever", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(0, true, 6)], 1024)),
        new("a block from the middle", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(7, true, 6)], 1024)),
        new("the last block number", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(0xFFFFF, true, 6)], 1024)),
        new("blocks in reverse", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(5 - NumberOf(request), true, 6)], 1024)),
        new("a block with the reserved size", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(0, true, 7)], 1024)),
        new("blocks that are too short", Get, static (server, request) => server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6)], 5)),
        new("a new ETag in each block", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new ETag(BitConverter.GetBytes(server.Count)), new Block2(NumberOf(request), true, 6)], 1024)),
        new("a new format in each block", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new ContentFormat((uint)server.Count), new Block2(NumberOf(request), true, 6)], 1024)),
        new("a new code in each block", Get, static (server, request) => server.Answer(
            request, NumberOf(request) % 2 == 0 ? ResponseCode.Content : ResponseCode.Changed, [new Block2(NumberOf(request), true, 6)], 1024)),
        new("a Size2 of 4 GiB", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6), new Size2(uint.MaxValue)], 1024)),
        new("a Size2 of 1", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6), new Size2(1)], 1024)),
        new("blocks of RFC 9177 that nobody asked for", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new ETag(new byte[] { 1 }), new QBlock2(0, true, 6), new Size2(5000)], 1024)),
        new("2.31 for a GET", Get, static (server, request) => server.Answer(request, ResponseCode.Continue, [])),
        new("2.31 for ever", Put, static (server, request) => server.Answer(request, ResponseCode.Continue, [new Block1(0, true, 6)])),
        new("2.31 without Block1", Put, static (server, request) => server.Answer(request, ResponseCode.Continue, [])),
        new("2.31 with another number", Put, static (server, request) => server.Answer(request, ResponseCode.Continue, [new Block1(99, true, 6)])),
        new("2.31 with a larger size", Put, static (server, request) => server.Answer(
            request, ResponseCode.Continue, [new Block1(request.Options.Get<Block1>()?.BlockNumber ?? 0, true, 7)])),
        new("4.08 for ever", Put, static (server, request) => server.Answer(request, ResponseCode.RequestEntityIncomplete, [])),
        new("4.13 with smaller sizes for ever", Put, static (server, request) => server.Answer(
            request, ResponseCode.RequestEntityTooLarge, [new Block1(0, true, Math.Max(0, (request.Options.Get<Block1>()?.SizeExponent ?? 6) - 1))])),
        new("a slow acceptance of blocks of 16 bytes", Put, static (server, request) =>
        {
            if (request.Options.Get<Block1>() is not { } sent) { return; }
            server.Empty(request, MessageType.Acknowledgement);
            server.Separately(request, ResponseCode.Continue, [new Block1(sent.SizeExponent == 0 ? sent.BlockNumber : 0, true, 0)], after: 90);
        }),
        new("a drip of blocks of 16 bytes", Get, static (server, request) =>
        {
            server.Empty(request, MessageType.Acknowledgement);
            server.Separately(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 0)], 16, after: 95);
        }),
        new("a block every four minutes", Get, static (server, request) =>
        {
            server.Empty(request, MessageType.Acknowledgement);
            server.Separately(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 6)], 1024, after: 240);
        }),
        new("Echo for ever", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Unauthorized, [new Echo(BitConverter.GetBytes(server.Count))])),
        new("Echo for ever in an upload", Put, static (server, request) =>
            server.Answer(request, ResponseCode.Unauthorized, [new Echo(BitConverter.GetBytes(server.Count))])),
        new("an Echo of the largest size", Get, static (server, request) => server.Answer(request, ResponseCode.Unauthorized, [new Echo(new byte[40])])),
        new("a wrong token", Get, static (server, request) => server.Later(
            0, new CoapMessage(MessageType.Acknowledgement, ResponseCode.Content, request.MessageId, new Token([1, 2, 3]), [], default))),
        new("a token of no bytes", Get, static (server, request) => server.Later(
            0, new CoapMessage(MessageType.Acknowledgement, ResponseCode.Content, request.MessageId, default, [], default))),
        new("a wrong message ID", Get, static (server, request) => server.Later(
            0, new CoapMessage(MessageType.Acknowledgement, ResponseCode.Content, new MessageId((ushort)(request.MessageId.Value + 1)), request.Token, [], default))),
        new("a request back", Get, static (server, request) =>
        {
            // The client's answers are not answered: a loop within one instant would not let time pass.
            if (!request.Code.IsRequest) { return; }
            server.Later(0, new CoapMessage(MessageType.Confirmable, RequestCode.Get, new MessageId((ushort)server.Count), request.Token, [], default));
        }),
        new("pings for ever", Get, static (server, request) => server.Later(
            1, new CoapMessage(MessageType.Confirmable, CoapCode.Empty, new MessageId((ushort)server.Count), default, [], default))),
        new("an unknown critical option", Get, static (server, request) => server.Answer(
            request, ResponseCode.Content, [new UnknownOption(65_001, new byte[] { 1 })])),
        new("a storm of separate responses", Get, static (server, request) =>
            Times(2000, () => server.Separately(request, ResponseCode.Content, [new Block2(0, true, 6)], 1024, type: MessageType.Confirmable))),
        new("garbage", Get, static (server, _) => Times(100, () => server.Send(Encoding.ASCII.GetBytes("HTTP/1.1 200 OK")))),
        new("datagrams of one byte", Get, static (server, _) => Times(256, () => server.Send([0x40]))),
        new("an option that ends beyond the datagram", Get, static (server, request) =>
            server.Send([0x64, 0x45, (byte)(request.MessageId.Value >> 8), (byte)request.MessageId.Value, 1, 2, 3, 4, 0xEE, 0xFF, 0xFF, 0xFF, 0xFF])),
    ];

    public static MaliciousScenario Of(string name) => All.Single(scenario => scenario.Name == name);

    private static CoapRequest Get() => new(RequestCode.Get, "/x");

    private static CoapRequest Put() => new(RequestCode.Put, "/x") { Payload = new byte[20_000] };

    private static int NumberOf(CoapMessage request) => request.Options.Get<Block2>()?.BlockNumber ?? 0;

    private static void Block(MaliciousServer server, CoapMessage request, bool hasMore, int exponent = 6) =>
        server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), hasMore, exponent)], 16 << exponent);

    private static void Times(int count, Action action)
    {
        for (var one = 0; one < count; one++) { action(); }
    }
}
