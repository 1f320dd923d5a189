using CoAP.Options;
using static CoAP.Tests.Hostile.Malicious.ConnectionScenario;
using static CoAP.Tests.Hostile.Malicious.MaliciousScenario;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>The ways in which a server can try to hang a client by the bodies on a connection.</summary>
internal static class StreamBodyScenarios
{
    private static readonly Func<CoapRequest> Upload = ConnectionScenario.Put;

    public static IReadOnlyList<ConnectionScenario> All { get; } =
    [
        new("BERT blocks for ever", Get, Csm, static (server, request) => Bert(server, request, 32 << 10), MaliciousEnd.Broken("MaxResponseBody")),
        new("BERT blocks of the smallest size for ever", Get, Csm, static (server, request) => Bert(server, request, 1024),
            MaliciousEnd.Broken("MaxResponseBody")),
        new("empty BERT blocks", Get, Csm, static (server, request) => Bert(server, request, 0), MaliciousEnd.Broken("payload of 0 bytes although more follow")),
        new("BERT blocks of a crooked size", Get, Csm, static (server, request) => Bert(server, request, 1500),
            MaliciousEnd.Broken("payload of 1500 bytes although more follow")),
        new("BERT blocks of a server that has not announced them", Get, static server => server.Csm(blocks: false),
            static (server, request) => Bert(server, request, 1024), MaliciousEnd.Broken("MaxResponseBody")),
        new("the first BERT block for ever", Get, Csm, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Block2(0, true, 7)], 2048), MaliciousEnd.Broken("instead of the block at byte 2048")),
        new("a drip of BERT blocks", Get, Csm, static (server, request) => Bert(server, request, 1024, after: 90),
            new(typeof(CoapTimeoutException), "slower than 16 bytes a second", MaliciousEnd.BehindAt(1024 / 90.0))),
        new("a drip of blocks of 16 bytes over a connection", Get, Csm, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 0)], 16, after: 60),
            new(typeof(CoapTimeoutException), "slower than 16 bytes a second", MaliciousEnd.Slow)),
        new("a new ETag in each BERT block", Get, Csm, static (server, request) => server.Answer(
            request, ResponseCode.Content, [new ETag(BitConverter.GetBytes(server.Count)), new Block2(NumberOf(request), true, 7)], 1024),
            MaliciousEnd.Broken("The representation has changed")),
        new("a Size2 of 4 GiB over a connection", Get, Csm, static (server, request) => server.Answer(
            request, ResponseCode.Content, [new Block2(NumberOf(request), true, 7), new Size2(uint.MaxValue)], 1024), MaliciousEnd.Broken("MaxResponseBody")),
        new("a message that is larger than the announced limit", Get, Csm, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [], 1 << 20), MaliciousEnd.Lost("larger than 65536")),
        new("the same response for ever", Get, Csm, static (server, request) =>
            server.Every(0.2, () => server.Send(ResponseCode.Content, [], request.Token)), MaliciousEnd.Answer("2.05")),
        new("notifications that nobody asked for", Get, Csm, static (server, request) =>
            server.Every(0.2, () => server.Send(ResponseCode.Content, [new Observe((uint)server.Count)], request.Token, 1000)), MaliciousEnd.Answer("2.05")),
        new("2.31 for ever over a connection", Upload, static server => server.Csm(2000), static (server, request) =>
            server.Answer(request, ResponseCode.Continue, [new Block1(0, true, 6)]), MaliciousEnd.Broken("instead of the block at byte")),
        new("2.31 without Block1 over a connection", Upload, static server => server.Csm(2000), static (server, request) =>
            server.Answer(request, ResponseCode.Continue, []), MaliciousEnd.Broken("2.31 without Block1")),
        new("a slow acceptance of BERT blocks", Upload, static server => server.Csm(2000), static (server, request) => server.Answer(
            request, ResponseCode.Continue, [request.Options.Get<Block1>()!], after: 90),
            new(typeof(CoapTimeoutException), "slower than 16 bytes a second", MaliciousEnd.BehindAt(1024 / 90.0))),
        new("4.13 with smaller sizes for ever over a connection", Upload, static server => server.Csm(2000), static (server, request) => server.Answer(
            request, ResponseCode.RequestEntityTooLarge, [new Block1(0, true, Math.Max(0, request.Options.Get<Block1>()!.SizeExponent - 1))]),
            MaliciousEnd.Answer("4.13")),
        new("a server that does not read an upload", Upload, static server =>
        {
            server.Csm(1 << 20);
            server.IsDeaf = true;
        }, Ignore, MaliciousEnd.Lost("has read nothing for 00:00:30")),
        new("an Echo for ever over a connection", Get, Csm, static (server, request) =>
            server.Answer(request, ResponseCode.Unauthorized, [new Echo(BitConverter.GetBytes(server.Count))]), MaliciousEnd.Answer("4.01")),
        new("5.03 with Max-Age 0 over a connection", Get, Csm, static (server, request) =>
            server.Answer(request, ResponseCode.ServiceUnavailable, [new MaxAge(0)]), MaliciousEnd.Answer("5.03")),
        new("a body that a Timeout ends", static () => new(RequestCode.Get, "/x") { Timeout = TimeSpan.FromSeconds(30) }, Csm,
            static (server, request) => Bert(server, request, 1024, after: 1), MaliciousEnd.Silent("30 s (Timeout)", seconds: 30)),
    ];

    private static void Bert(MaliciousStream server, CoapMessage request, int size, double after = 0) =>
        server.Answer(request, ResponseCode.Content, [new Block2(NumberOf(request), true, 7)], size, after);
}
