using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests;

/// <summary>A sync and an async server at once: nobody can tell by their answers which is which.</summary>
[Trait("Category", "Interop")]
public sealed class ServerModesTests(SampleServers servers) : IClassFixture<SampleServers>
{
    private static readonly string[][] Requests =
    [
        ["get", "/hello"],
        ["get", "/hello", "-N"],
        ["delete", "/hello"],
        ["get", "/nothing"],
        ["get", "/.well-known/core"],
        ["get", "/.well-known/core?rt=clock"],
        ["post", "/echo", "-e", "{}", "-t", "application/json"],
        ["post", "/reverse", "-e", "stressed"],
        ["get", "/store/note"],
        ["put", "/store/note", "-e", "buy milk", "-O", "5,"],
        ["put", "/store/note", "-e", "buy milk", "-O", "5,"],
        ["put", "/store/note", "-e", "buy tea", "-t", "text/plain"],
        ["get", "/store/note"],
        ["get", "/store/note", "-O", "4,0x0102"],
        ["post", "/store/note", "-e", " and honey"],
        ["get", "/store/note"],
        ["delete", "/store/note", "-O", "1,0x0102"],
        ["delete", "/store/note"],
        ["get", "/slow?ms=20"],
        ["get", "/slow?ms=never"],
        ["get", "/large?size=600"],
        ["get", "/sensors/temperature", "-A", "application/xml"],
        ["fetch", "/hello", "-e", "x"],
        ["get", "/hello", "-O", "65001,x"],
    ];

    [SkippableTheory]
    [InlineData("coap")]
    [InlineData("coap+tcp")]
    public async Task Sync_and_async_answer_the_same(string scheme)
    {
        Needed.Programs(Needed.CoapClient);
        var sync = await servers.GetAsync("sync");
        var async = await servers.GetAsync("async");

        var syncAnswers = await AnswersAsync(await sync.BaseAsync(scheme, "127.0.0.1"));
        var asyncAnswers = await AnswersAsync(await async.BaseAsync(scheme, "127.0.0.1"));

        syncAnswers.Should().Equal(asyncAnswers);
        syncAnswers.Select(answer => answer.Code).Distinct().Should().BeEquivalentTo(
            "2.01", "2.02", "2.04", "2.05", "4.00", "4.02", "4.04", "4.05", "4.06", "4.12");
    }

    private static async Task<List<(string Request, string Type, string Code, string Options, string Body)>> AnswersAsync(string server)
    {
        var answers = new List<(string Request, string Type, string Code, string Options, string Body)>();
        foreach (var request in Requests)
        {
            var answer = await LibcoapClient.RunAsync(request[0], $"{server}{request[1]}", request[2..]);
            // On a loaded machine, either server may answer after the 250 ms in which an answer is piggybacked (RFC 7252, section 5.2.2).
            var type = answer.Type == "CON" ? "ACK" : answer.Type;
            answers.Add((string.Join(' ', request), type, answer.Code, answer.Options, answer.Body));
        }
        return answers;
    }
}
