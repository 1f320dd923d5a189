using CoAP.Interop.Tests.Programs;
using Client = CoAP.Interop.Tests.Programs.SampleClient;
using Server = CoAP.Interop.Tests.Programs.SampleServer;

namespace CoAP.Interop.Tests;

/// <summary>What a dissector that is not ours says to both of our sides.</summary>
[Trait("Category", "Interop")]
public sealed class CaptureTests
{
    private const string Loopback = "127.0.0.1";
    private static readonly string[] Schemes = ["coap", "coap+tcp"];

    [SkippableTheory]
    [InlineData("async")]
    [InlineData("async-single")]
    [InlineData("sync")]
    public async Task Our_server_sends_no_malformed_messages(string mode)
    {
        Needed.Programs(Needed.CoapClient, Needed.TShark, Needed.Text2Pcap);
        await using var server = await Server.StartAsync(mode);
        await using var capture = await Capture.StartAsync(await server.PortAsync("coap"), await server.PortAsync("coap+tcp"));

        foreach (var scheme in Schemes)
        {
            var uri = await server.BaseAsync(scheme, Loopback);
            await LibcoapClient.RunAsync("put", $"{uri}/store/note", "-e", "buy milk");
            await LibcoapClient.RunAsync("get", $"{uri}/store/note");
            await LibcoapClient.RunAsync("post", $"{uri}/store/note", "-e", " and tea");
            await LibcoapClient.RunAsync("delete", $"{uri}/store/note");
            await LibcoapClient.RunAsync("get", $"{uri}/.well-known/core");
            await LibcoapClient.RunAsync("get", $"{uri}/slow?ms=50");
            await LibcoapClient.RunAsync("get", $"{uri}/nothing");
        }
        await capture.EndWithMalformedMessageAsync();

        var expected = Codes(("0.01", 4), ("0.02", 1), ("0.03", 1), ("0.04", 1), ("2.01", 1), ("2.02", 1), ("2.04", 1), ("2.05", 3), ("4.04", 1));
        await OnlyTheControlIsWrongAsync(capture);
        (await capture.CodesOverUdpAsync()).Should().Contain(expected).And.ContainKey("0.00", "/slow is acknowledged");
        (await capture.CodesOverTcpAsync()).Should().Contain(expected).And.Contain("7.01", 14, "both sides begin with a CSM");
    }

    [SkippableTheory]
    [InlineData]
    [InlineData("--sync")]
    [InlineData("--non")]
    public async Task Our_client_sends_no_malformed_messages(params string[] form)
    {
        Needed.Programs(Needed.CoapServer, Needed.TShark, Needed.Text2Pcap);
        await using var server = await LibcoapServer.StartAsync(Loopback);
        await using var capture = await Capture.StartAsync(server.Port, server.Port);

        foreach (var scheme in Schemes)
        {
            var uri = server.Base(scheme);
            await Client.RunAsync(["PUT", $"{uri}/note", "--payload", "buy milk", .. form]);
            await Client.RunAsync(["GET", $"{uri}/note", .. form]);
            await Client.RunAsync(["POST", $"{uri}/note", "--payload", "buy tea", .. form]);
            await Client.RunAsync(["DELETE", $"{uri}/note", .. form]);
            await Client.RunAsync(["GET", $"{uri}/async?1", .. form]);
        }
        await capture.EndWithMalformedMessageAsync();

        var expected = Codes(("0.01", 2), ("0.02", 1), ("0.03", 1), ("0.04", 1), ("2.01", 1), ("2.02", 1), ("2.04", 1), ("2.05", 2));
        await OnlyTheControlIsWrongAsync(capture);
        (await capture.CodesOverUdpAsync()).Should().Contain(expected);
        (await capture.CodesOverTcpAsync()).Should().Contain(expected).And.Contain("7.01", 10, "both sides begin with a CSM");
    }

    private static Dictionary<string, int> Codes(params (string Code, int Count)[] codes) => codes.ToDictionary(code => code.Code, code => code.Count);

    private static async Task OnlyTheControlIsWrongAsync(Capture capture)
    {
        var wrong = await capture.WrongMessagesAsync();
        wrong.Should().ContainSingle("only the message that ends the capture is malformed:\n{0}", string.Join('\n', wrong));
        wrong[0].Should().Contain("[Malformed Packet]");
    }
}
