using CoAP.Options;
using static CoAP.Tests.Hostile.Malicious.MaliciousScenario;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>An observation over a connection whose server treats it as no server should, and what the reader gets first.</summary>
internal sealed record StreamObservationScenario(string Name, Action<MaliciousStream, CoapMessage> React, MaliciousEnd First);

/// <summary>The ways in which a server can try to hang the reader of an observation over a connection.</summary>
internal static class StreamObservationScenarios
{
    public static IReadOnlyList<StreamObservationScenario> All { get; } =
    [
        new("silence at the registration over a connection", static (_, _) => { }, MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("a broken first body over a connection", static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Observe(1), new Block2(3, true, 6)], 1024), MaliciousEnd.Broken("instead of the block at byte 0")),
        new("a first body in BERT blocks without an end", static (server, request) => server.Answer(
            request, ResponseCode.Content, OptionsOf(request, new Block2(NumberOf(request), true, 7)), 4096), MaliciousEnd.Broken("MaxResponseBody")),
        new("a first block and silence over a connection", static (server, request) =>
        {
            if (Registers(request)) { server.Answer(request, ResponseCode.Content, [new Observe(1), new Block2(0, true, 6)], 1024); }
        }, MaliciousEnd.Lost("silent for 30 s after a Ping")),
        new("first blocks for ever over a connection", static (server, request) =>
        {
            if (Registers(request)) { server.Every(1, () => server.Send(ResponseCode.Content, [new Observe(1), new Block2(0, true, 6)], request.Token, 1024)); }
        }, MaliciousEnd.Broken("replaced each notification before its body was complete", MaliciousEnd.Slow)),
        new("a Release after the first block", static (server, request) =>
        {
            server.Answer(request, ResponseCode.Content, [new Observe(1), new Block2(0, true, 6)], 1024);
            server.Send(SignalCode.Release, []);
        }, MaliciousEnd.Lost("server")),
        new("an end after the first block", static (server, request) =>
        {
            server.Answer(request, ResponseCode.Content, [new Observe(1), new Block2(0, true, 6)], 1024);
            server.EndSending();
        }, MaliciousEnd.Lost("The connection to server has ended")),
        new("a flood of notifications over a connection", static (server, request) =>
        {
            if (Registers(request)) { server.Every(10, () => Times(50, () => server.Send(ResponseCode.Content, [new Observe(1)], request.Token, 1000))); }
        }, MaliciousEnd.Answer("2.05")),
        new("Max-Age 0 for ever over a connection", static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new Observe(1), new MaxAge(0)]), MaliciousEnd.Answer("2.05")),
        new("a notification with a critical option over a connection", static (server, request) => server.Answer(
            request, ResponseCode.Content, [new Observe(1), new UnknownOption(65_001, new byte[] { 1 })]), MaliciousEnd.Lost("critical option 65001")),
    ];

    public static StreamObservationScenario Of(string name) => All.Single(scenario => scenario.Name == name);

    private static bool Registers(CoapMessage request) => request.Options.Get<Observe>() is { Value: 0 };

    private static OptionSet OptionsOf(CoapMessage request, Block2 block) => Registers(request) ? [new Observe(1), block] : [block];
}
