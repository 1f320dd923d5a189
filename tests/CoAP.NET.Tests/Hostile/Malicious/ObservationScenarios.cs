using CoAP.Options;
using static CoAP.ObservationEnd;
using static CoAP.Tests.Hostile.Malicious.MaliciousScenario;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>The ways in which a server can try to hang the reader of an observation, or to fill the memory of the client.</summary>
internal static class ObservationScenarios
{
    public static IReadOnlyList<ObservationScenario> All { get; } =
    [
        new("silence at the registration", static (_, _) => { }, MaliciousEnd.Silent(), Failed),
        new("an acknowledgement of the registration and silence", static (server, request) => server.Empty(request, MessageType.Acknowledgement),
            MaliciousEnd.Silent("call to server made no progress for 103 s"), Failed),
        new("a Reset of the registration", static (server, request) => server.Empty(request, MessageType.Reset), MaliciousEnd.Reset, Failed),
        new("a registration that is refused", static (server, request) => server.Answer(request, ResponseCode.NotFound, []),
            MaliciousEnd.Answer("4.04"), ErrorResponse),
        new("a registration that is not observed", static (server, request) => server.Answer(request, ResponseCode.Content, []),
            MaliciousEnd.Answer("2.05"), NotObserved),
        new("Echo for ever at the registration", static (server, request) =>
            server.Answer(request, ResponseCode.Unauthorized, [new Echo(BitConverter.GetBytes(server.Count))]), MaliciousEnd.Answer("4.01"), ErrorResponse),
        new("a critical option in the registration", static (server, request) => server.Answer(
            request, ResponseCode.Content, [new Observe(1), new UnknownOption(65_001, new byte[] { 1 })]), MaliciousEnd.Lost("critical option 65001"), Failed),
        new("a first block that is broken", static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Observe(1), new Block2(3, true, 6)], 1024),
            MaliciousEnd.Broken("instead of the block at byte 0"), Failed),
        new("a first block that is broken and lives for ever", static (server, request) => server.Answer(
            request, ResponseCode.Content, [new Observe(1), new MaxAge(uint.MaxValue), new Block2(0, true, 7)], 1024),
            MaliciousEnd.Broken("reserved for reliable transports"), Failed),
        new("a first block and silence", static (server, request) =>
        {
            if (request.Options.Contains<Observe>()) { server.Answer(request, ResponseCode.Content, [new Observe(1), new Block2(0, true, 6)], 1024); }
        }, MaliciousEnd.Broken("transfer with server failed"), Failed),
        new("a first notification without an end", static (server, request) => server.Answer(
            request, ResponseCode.Content, [new Observe(1), new Block2(NumberOf(request), true, 6)], 1024), MaliciousEnd.Broken("MaxResponseBody"), Failed),
        new("a drip of the first notification", static (server, request) =>
        {
            server.Empty(request, MessageType.Acknowledgement);
            server.Separately(request, ResponseCode.Content, OptionsOf(request, new Block2(NumberOf(request), true, 0)), 16, after: 60);
        }, new(typeof(CoapTimeoutException), "slower than 16 bytes a second", MaliciousEnd.Slow), Failed),
        new("a notification in blocks of RFC 9177", static (server, request) => server.Answer(
            request, ResponseCode.Content, [new Observe(1), new ETag(new byte[] { 1 }), new QBlock2(0, true, 6), new Size2(5000)], 1024),
            MaliciousEnd.Broken("server notified with a block of RFC 9177"), Failed),
        new("first blocks for ever", static (server, request) =>
        {
            if (!Registers(server, request)) { return; }
            var sequence = 1U;
            server.Every(1, () => server.Separately(request, ResponseCode.Content, [new Observe(sequence++), new Block2(0, true, 6)], 1024));
        }, MaliciousEnd.Broken("replaced each notification before its body was complete", MaliciousEnd.Slow), Failed, MostRequests: 3000),
        new("a flood of notifications", static (server, request) =>
        {
            if (!Registers(server, request)) { return; }
            var sequence = 1U;
            server.Every(30, () => Times(100, () => server.Separately(request, ResponseCode.Content, [new Observe(sequence++)], 1000)));
        }, MaliciousEnd.Answer("2.05")),
        new("a flood of confirmable notifications", static (server, request) =>
        {
            if (!Registers(server, request)) { return; }
            var sequence = 1U;
            server.Every(30, () => Times(50, () => server.Separately(
                request, ResponseCode.Content, [new Observe(sequence++)], 1000, type: MessageType.Confirmable)));
        }, MaliciousEnd.Answer("2.05")),
        new("the same notification for ever", static (server, request) =>
        {
            if (Registers(server, request)) { server.Every(1, () => server.Separately(request, ResponseCode.Content, [new Observe(7)])); }
        }, MaliciousEnd.Answer("2.05")),
        new("notifications that count backwards", static (server, request) =>
        {
            if (!Registers(server, request)) { return; }
            var sequence = 10_000U;
            server.Every(1, () => server.Separately(request, ResponseCode.Content, [new Observe(sequence--)]));
        }, MaliciousEnd.Answer("2.05")),
        new("Max-Age 0 for ever", static (server, request) => server.Answer(request, ResponseCode.Content, [new Observe((uint)server.Count), new MaxAge(0)]),
            MaliciousEnd.Answer("2.05")),
        new("Max-Age for ever", static (server, request) => server.Answer(
            request, ResponseCode.Content, [new Observe((uint)server.Count), new MaxAge(uint.MaxValue)]), MaliciousEnd.Answer("2.05"), MostRequests: 2),
        new("silence after the registration", static (server, request) =>
        {
            if (server.Count == 1) { server.Answer(request, ResponseCode.Content, [new Observe(1), new MaxAge(0)]); }
        }, MaliciousEnd.Answer("2.05")),
        new("a Reset of each further registration", static (server, request) =>
        {
            if (server.Count == 1) { server.Answer(request, ResponseCode.Content, [new Observe(1), new MaxAge(0)]); }
            else { server.Empty(request, MessageType.Reset); }
        }, MaliciousEnd.Answer("2.05")),
        new("broken bodies after the first notification", static (server, request) =>
        {
            if (!Registers(server, request)) { return; }
            var sequence = 1U;
            server.Answer(request, ResponseCode.Content, [new Observe(0)]);
            server.Every(10, () => server.Separately(request, ResponseCode.Content, [new Observe(sequence++), new Block2(3, true, 6)], 1024));
        }, MaliciousEnd.Answer("2.05")),
        new("an error as the second notification", static (server, request) =>
        {
            server.Answer(request, ResponseCode.Content, [new Observe(1)]);
            server.Separately(request, ResponseCode.ServiceUnavailable, [new MaxAge(0)], after: 1);
        }, MaliciousEnd.Answer("2.05"), ErrorResponse),
        new("2.31 as a notification", static (server, request) => server.Answer(request, ResponseCode.Continue, [new Observe(1)]),
            MaliciousEnd.Answer("2.31")),
    ];

    private static bool Registers(MaliciousServer server, CoapMessage request) => server.Count == 1 && request.Options.Contains<Observe>();

    private static OptionSet OptionsOf(CoapMessage request, Block2 block) => request.Options.Contains<Observe>() ? [new Observe(1), block] : [block];
}
