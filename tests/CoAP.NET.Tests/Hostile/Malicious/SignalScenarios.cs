using System.Text;
using CoAP.Options;
using static CoAP.Tests.Hostile.Malicious.ConnectionScenario;
using static CoAP.Tests.Hostile.Malicious.MaliciousScenario;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>The ways in which a server can try to hang a client by the signals, the frames and the end of a connection.</summary>
internal static class SignalScenarios
{
    private const string Ended = "The connection to server has ended";

    private static readonly Func<CoapRequest> Upload = ConnectionScenario.Put;

    public static IReadOnlyList<ConnectionScenario> All { get; } =
    [
        new("no CSM", Get, static _ => { }, Ignore, MaliciousEnd.Lost(Ended, 11)),
        new("no CSM for an upload", Upload, static _ => { }, Ignore, MaliciousEnd.Lost(Ended, 11)),
        new("a response instead of a CSM", Get, static _ => { }, static (server, request) => server.Answer(request, ResponseCode.Content, []),
            MaliciousEnd.Lost(Ended)),
        new("a CSM and silence", Get, Csm, Ignore, MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("a CSM and silence for an upload", Upload, Csm, Ignore, MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("a CSM of no size for an upload", Upload, static server => server.Csm(0), Ignore, MaliciousEnd.Lost("option 2 cannot be processed")),
        new("a new CSM every second", Upload, static server => server.Every(1, () => server.Csm(2000)), Ignore,
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("a CSM that shrinks for ever", Upload, Csm, static (server, request) =>
        {
            server.Csm(1200);
            server.Answer(request, ResponseCode.RequestEntityTooLarge, [new Block1(0, true, 0)]);
        }, MaliciousEnd.Answer("4.13")),
        new("a CSM with an unknown critical option", Get, static server => server.Send(SignalCode.Csm, [new UnknownOption(65_001, new byte[] { 1 })]), Ignore,
            MaliciousEnd.Lost(Ended, 11)),
        new("an unknown signal", Get, static server =>
        {
            server.Csm();
            server.Send([0x00, 0xFF]);
        }, Ignore, MaliciousEnd.Silent("server")),
        new("Pings for ever", Get, Csm, static (server, _) => server.Every(0.2, () => server.Send(SignalCode.Ping, [])),
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("a storm of Pings that never ends", Get, Csm, static (server, _) => server.Every(1, () => Times(100, () => server.Send(SignalCode.Ping, []))),
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("Pings of a server that does not read the Pongs", Get, Csm, static (server, _) =>
        {
            server.IsDeaf = true;
            server.Every(1, () => Times(1000, () => server.Send(SignalCode.Ping, [], new Token([1, 2, 3, 4, 5, 6, 7, 8]))));
        }, MaliciousEnd.Lost("has read nothing for 00:00:30")),
        new("Pongs for ever", Get, Csm, static (server, _) => server.Every(0.2, () => server.Send(SignalCode.Pong, [])),
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("empty messages for ever", Get, Csm, static (server, _) => server.Every(0.2, () => server.Send([0x00, 0x00])),
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("a Release before the CSM", Get, static server => server.Send(SignalCode.Release, []), Ignore, MaliciousEnd.Lost(Ended)),
        new("a Release after the CSM", Get, static server =>
        {
            server.Csm();
            server.Send(SignalCode.Release, []);
        }, Ignore, MaliciousEnd.Lost(Ended, 32)),
        new("a Release after the request", Get, Csm, static (server, _) => server.Send(SignalCode.Release, []), MaliciousEnd.Lost(Ended, 32)),
        new("a Release in the middle of an upload", Upload, static server => server.Csm(2000), static (server, request) =>
        {
            if (server.Count == 3) { server.Send(SignalCode.Release, []); }
            server.Answer(request, ResponseCode.Continue, [request.Options.Get<Block1>()!]);
        }, MaliciousEnd.Broken("transfer with server failed")),
        new("a thousand Releases", Get, Csm, static (server, _) => Times(1000, () => server.Send(SignalCode.Release, [])), MaliciousEnd.Lost(Ended, 32)),
        new("a Release with the longest Hold-Off", Get, Csm, static (server, _) => server.Send(SignalCode.Release, [new HoldOff(0xFFFFFF)]),
            MaliciousEnd.Lost(Ended, 32)),
        new("a Release with a thousand addresses", Get, Csm, static (server, _) => server.Send(SignalCode.Release, OptionSet.Create(
            [.. Enumerable.Range(0, 1000).Select(one => new AlternativeAddress($"server:{one}"))])), MaliciousEnd.Lost(Ended, 32)),
        new("an Abort before the CSM", Get, static server => server.Send(SignalCode.Abort, []), Ignore, MaliciousEnd.Lost(Ended)),
        new("an Abort after the request that does not close", Get, Csm, static (server, _) => server.Send(SignalCode.Abort, []),
            MaliciousEnd.Lost("the peer aborted it")),
        new("an Abort in the middle of an upload", Upload, static server => server.Csm(2000), static (server, request) =>
        {
            if (server.Count == 3) { server.Send(SignalCode.Abort, []); }
            else { server.Answer(request, ResponseCode.Continue, [request.Options.Get<Block1>()!]); }
        }, MaliciousEnd.Broken("the peer aborted it")),
        new("an end before the CSM", Get, static server => server.Close(), Ignore, MaliciousEnd.Lost(Ended)),
        new("an end after the request", Get, Csm, static (server, _) => server.Close(), MaliciousEnd.Lost("the peer closed it")),
        new("half an end after the request", Get, Csm, static (server, _) => server.EndSending(), MaliciousEnd.Lost("the peer closed it")),
        new("an end inside a message", Get, Csm, static (server, _) =>
        {
            server.Send([0xD8, 0x20, 0x45, 1, 2]);
            server.EndSending();
        }, MaliciousEnd.Lost(Ended)),
        new("a message of 4 GiB", Get, Csm, static (server, _) => server.Send([0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 0x45]), MaliciousEnd.Lost(Ended)),
        new("a message that comes byte by byte", Get, Csm, static (server, _) =>
        {
            server.Send([0xF0, 0x00, 0x00, 0x10, 0x00, 0x45]);
            server.Every(1, () => server.Send([0xFF]));
        }, MaliciousEnd.Lost(Ended, 62)),
        new("a message that is skipped byte by byte", Get, Csm, static (server, _) =>
        {
            server.Send([0xF0, 0x00, 0x40, 0x00, 0x00, 0x45]);
            server.Every(1, () => server.Send([0xFF]));
        }, MaliciousEnd.Lost(Ended, 62)),
        new("a CSM that comes byte by byte", Get, static server =>
        {
            server.Send([0xD0]);
            server.Every(1, () => server.Send([0xE1]));
        }, Ignore, MaliciousEnd.Lost(Ended, 11)),
        new("a token length that is reserved", Get, static server => server.Send([0x0F, 0xE1]), Ignore, MaliciousEnd.Lost(Ended)),
        new("an HTTP server", Get, static server => server.Send(Encoding.ASCII.GetBytes("HTTP/1.1 400 Bad Request\r\n\r\n")), Ignore, MaliciousEnd.Lost(Ended, 11)),
        new("a TLS server", Get, static server => server.Send([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46]), Ignore, MaliciousEnd.Lost(Ended, 11)),
        new("requests back for ever", Get, Csm, static (server, request) => server.Every(0.2, () => server.Send(RequestCode.Get, [], request.Token)),
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("wrong tokens for ever over a connection", Get, Csm, static (server, _) =>
            server.Every(0.2, () => server.Send(ResponseCode.Content, [], new Token([1, 2, 3]))), MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("a response without a token", Get, Csm, static (server, _) => server.Send(ResponseCode.Content, []),
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("an unknown critical option over a connection", Get, Csm, static (server, request) =>
            server.Answer(request, ResponseCode.Content, [new UnknownOption(65_001, new byte[] { 1 })]), MaliciousEnd.Lost("critical option 65001")),
    ];
}
