using CoAP.Options;
using static CoAP.Tests.Hostile.Malicious.MaliciousScenario;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>The ways in which a server can try to hang a client by its answers to the blocks of a request.</summary>
internal static class UploadScenarios
{
    public static IReadOnlyList<MaliciousScenario> All { get; } =
    [
        new("2.31 for a GET", Get, static (server, request) => server.Answer(request, ResponseCode.Continue, []), MaliciousEnd.Answer("2.31")),
        new("2.31 for ever", Put, static (server, request) => server.Answer(request, ResponseCode.Continue, [new Block1(0, true, 6)]),
            MaliciousEnd.Broken("instead of the block at byte 1024")),
        new("2.31 without Block1", Put, static (server, request) => server.Answer(request, ResponseCode.Continue, []),
            MaliciousEnd.Broken("2.31 without Block1")),
        new("2.31 with another number", Put, static (server, request) => server.Answer(request, ResponseCode.Continue, [new Block1(99, true, 6)]),
            MaliciousEnd.Broken("instead of the block at byte 0")),
        new("2.31 with a larger size", Put, static (server, request) => server.Answer(
            request, ResponseCode.Continue, [new Block1(request.Options.Get<Block1>()?.BlockNumber ?? 0, true, 7)]), MaliciousEnd.Broken("2.31 to the last block")),
        new("2.31 to the last block", Put, static (server, request) => server.Answer(
            request, ResponseCode.Continue, [request.Options.Get<Block1>() ?? new Block1(0, true, 6)]), MaliciousEnd.Broken("2.31 to the last block")),
        new("2.04 before the last block", Put, static (server, request) => server.Answer(request, ResponseCode.Changed, []),
            MaliciousEnd.Broken("2.04 without Block1")),
        new("4.08 for ever", Put, static (server, request) => server.Answer(request, ResponseCode.RequestEntityIncomplete, []), MaliciousEnd.Answer("4.08")),
        new("4.13 with smaller sizes for ever", Put, static (server, request) => server.Answer(
            request, ResponseCode.RequestEntityTooLarge, [new Block1(0, true, Math.Max(0, (request.Options.Get<Block1>()?.SizeExponent ?? 6) - 1))]),
            MaliciousEnd.Answer("4.13")),
        new("4.13 for a GET for ever", Get, static (server, request) => server.Answer(request, ResponseCode.RequestEntityTooLarge, [new Block1(0, true, 0)]),
            MaliciousEnd.Answer("4.13")),
        new("4.13 that asks for blocks of a small request", static () => new(RequestCode.Put, "/x") { Payload = new byte[100] }, static (server, request) =>
            server.Answer(request, ResponseCode.RequestEntityTooLarge, [new Block1(0, true, 0)]), MaliciousEnd.Answer("4.13")),
        new("a slow acceptance of blocks of 16 bytes", Put, static (server, request) =>
        {
            if (request.Options.Get<Block1>() is not { } sent) { return; }
            server.Empty(request, MessageType.Acknowledgement);
            server.Separately(request, ResponseCode.Continue, [new Block1(sent.SizeExponent == 0 ? sent.BlockNumber : 0, true, 0)], after: 90);
        }, new(typeof(CoapTimeoutException), "slower than 16 bytes a second", MaliciousEnd.Slow)),
        new("silence in the middle of an upload", Put, static (server, request) =>
        {
            if (request.Options.Get<Block1>() is { BlockNumber: < 5 } sent) { server.Answer(request, ResponseCode.Continue, [sent]); }
        }, MaliciousEnd.Broken("transfer with server failed")),
        new("an endless body after an upload", Put, static (server, request) =>
        {
            if (request.Options.Get<Block1>() is { HasMore: true } sent) { server.Answer(request, ResponseCode.Continue, [sent]); }
            else { server.Answer(request, ResponseCode.Changed, EndOfUpload(request), 1024); }
        }, MaliciousEnd.Broken("MaxResponseBody")),
        new("Echo for ever in an upload", Put, static (server, request) =>
            server.Answer(request, ResponseCode.Unauthorized, [new Echo(BitConverter.GetBytes(server.Count))]), MaliciousEnd.Answer("4.01")),
    ];

    private static OptionSet EndOfUpload(CoapMessage request) => request.Options.Get<Block1>() is { } last
        ? [new Block2(0, true, 6), last]
        : [new Block2(NumberOf(request), true, 6)];
}
