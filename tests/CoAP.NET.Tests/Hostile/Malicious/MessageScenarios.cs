using System.Text;
using CoAP.Options;
using static CoAP.Tests.Hostile.Malicious.MaliciousScenario;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>The ways in which a server can try to hang a client by messages that carry no body.</summary>
internal static class MessageScenarios
{
    public static IReadOnlyList<MaliciousScenario> All { get; } =
    [
        new("silence", Get, static (_, _) => { }, MaliciousEnd.Silent()),
        new("silence for a non-confirmable request", static () => new(RequestCode.Get, "/x") { IsConfirmable = false }, static (_, _) => { },
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("silence for an upload", Put, static (_, _) => { }, MaliciousEnd.Silent()),
        new("an acknowledgement and silence", Get, static (server, request) => server.Empty(request, MessageType.Acknowledgement),
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("an acknowledgement and silence in an upload", Put, static (server, request) => server.Empty(request, MessageType.Acknowledgement),
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("an acknowledgement at the last moment", Get, static (server, request) =>
        {
            if (server.Count == 5) { server.Do(40, () => server.Empty(request, MessageType.Acknowledgement)); }
        }, MaliciousEnd.Silent("server")),
        new("a Reset", Get, static (server, request) => server.Empty(request, MessageType.Reset), MaliciousEnd.Reset),
        new("a storm of Resets", Get, static (server, request) => Times(1000, () => server.Empty(request, MessageType.Reset)), MaliciousEnd.Reset),
        new("a storm of acknowledgements", Get, static (server, request) => Times(1000, () => server.Empty(request, MessageType.Acknowledgement)),
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("acknowledgements for ever", Get, static (server, request) => server.Every(1, () => server.Empty(request, MessageType.Acknowledgement)),
            MaliciousEnd.Silent("call to server made no progress for 103 s")),
        new("a Reset after the acknowledgement", Get, static (server, request) =>
        {
            server.Empty(request, MessageType.Acknowledgement);
            server.Empty(request, MessageType.Reset);
        }, MaliciousEnd.Reset),
        new("a wrong token", Get, static (server, request) => server.Later(
            0, new CoapMessage(MessageType.Acknowledgement, ResponseCode.Content, request.MessageId, new Token([1, 2, 3]), [], default)),
            MaliciousEnd.Silent("server")),
        new("a token of no bytes", Get, static (server, request) => server.Later(
            0, new CoapMessage(MessageType.Acknowledgement, ResponseCode.Content, request.MessageId, default, [], default)),
            MaliciousEnd.Silent("server")),
        new("wrong tokens for ever", Get, static (server, _) => server.Every(0.5, () => server.Later(0, new CoapMessage(
            MessageType.NonConfirmable, ResponseCode.Content, new MessageId((ushort)Random.Shared.Next()), new Token(BitConverter.GetBytes(Random.Shared.NextInt64())), [], default))),
            MaliciousEnd.Silent()),
        new("a wrong message ID", Get, static (server, request) => server.Later(
            0, new CoapMessage(MessageType.Acknowledgement, ResponseCode.Content, new MessageId((ushort)(request.MessageId.Value + 1)), request.Token, [], default)),
            MaliciousEnd.Silent()),
        new("a request back", Get, static (server, request) => server.Later(
            0, new CoapMessage(MessageType.Confirmable, RequestCode.Get, new MessageId((ushort)server.Count), request.Token, [], default)),
            MaliciousEnd.Silent()),
        new("pings for ever", Get, static (server, _) => server.Every(1, () => server.Later(
            0, new CoapMessage(MessageType.Confirmable, CoapCode.Empty, new MessageId((ushort)Random.Shared.Next()), default, [], default))),
            MaliciousEnd.Silent()),
        new("a signal over datagrams", Get, static (server, request) =>
            server.Send([0x60, 0xE5, (byte)(request.MessageId.Value >> 8), (byte)request.MessageId.Value]), MaliciousEnd.Silent()),
        new("an unknown critical option", Get, static (server, request) => server.Answer(
            request, ResponseCode.Content, [new UnknownOption(65_001, new byte[] { 1 })]), MaliciousEnd.Lost("critical option 65001")),
        new("unknown critical options for ever", Get, static (server, request) => server.Every(1, () => server.Separately(
            request, ResponseCode.Content, [new UnknownOption(65_001, new byte[] { 1 })], type: MessageType.Confirmable)), MaliciousEnd.Lost("critical option 65001")),
        new("garbage", Get, static (server, _) => Times(100, () => server.Send(Encoding.ASCII.GetBytes("HTTP/1.1 200 OK"))), MaliciousEnd.Silent()),
        new("datagrams of one byte", Get, static (server, _) => Times(256, () => server.Send([0x40])), MaliciousEnd.Silent()),
        new("an option that ends beyond the datagram", Get, static (server, request) =>
            server.Send([0x64, 0x45, (byte)(request.MessageId.Value >> 8), (byte)request.MessageId.Value, 1, 2, 3, 4, 0xEE, 0xFF, 0xFF, 0xFF, 0xFF]),
            MaliciousEnd.Silent("server")),
        new("Echo for ever", Get, static (server, request) =>
            server.Answer(request, ResponseCode.Unauthorized, [new Echo(BitConverter.GetBytes(server.Count))]), MaliciousEnd.Answer("4.01")),
        new("an Echo of the largest size", Get, static (server, request) => server.Answer(request, ResponseCode.Unauthorized, [new Echo(new byte[40])]),
            MaliciousEnd.Answer("4.01")),
        new("5.03 with Max-Age 0", Get, static (server, request) => server.Answer(request, ResponseCode.ServiceUnavailable, [new MaxAge(0)]),
            MaliciousEnd.Answer("5.03")),
        new("5.03 with the longest Max-Age", Get, static (server, request) =>
            server.Answer(request, ResponseCode.ServiceUnavailable, [new MaxAge(uint.MaxValue)]), MaliciousEnd.Answer("5.03")),
        new("2.03 to a request without an ETag", Get, static (server, request) => server.Answer(request, ResponseCode.Valid, [new MaxAge(uint.MaxValue)]),
            MaliciousEnd.Answer("2.03")),
        new("an Observe option that nobody asked for", Get, static (server, request) =>
            server.Every(1, () => server.Separately(request, ResponseCode.Content, [new Observe((uint)server.Count)])), MaliciousEnd.Answer("2.05")),
    ];
}
