using System.Net;

namespace CoAP.Tests.Groups;

/// <summary>Groups over real sockets, on the loopback interface alone.</summary>
[Trait("Category", "Loopback")]
public sealed class MulticastLoopbackTests
{
    private static readonly MulticastInterfaces Loopback = MulticastInterfaces.Of("lo");

    private static readonly MulticastRequestSettings Request = new() { Interfaces = Loopback, HopLimit = 0, ListenFor = TimeSpan.FromSeconds(30) };

    public static TheoryData<bool, int, bool> Forms() => new() { { true, 1, false }, { true, 2, false }, { false, 1, false }, { true, 1, true }, { false, 1, true } };

    [SkippableTheory]
    [MemberData(nameof(Forms))]
    [Trait("RFC", "7252 8")]
    public async Task A_client_finds_two_servers(bool isNative, int lanes, bool isWildcard)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "elsewhere the loopback interface has another name");
        var udp = new UdpSettings { UsesNativeCalls = isNative };
        await using var first = Start("first", new IPEndPoint(isWildcard ? IPAddress.Any : IPAddress.Loopback, 0), port: null, udp, lanes);
        await using var second = Start("second", new IPEndPoint(IPAddress.Parse("127.0.0.2"), 0), first.Endpoints[0].Address.Port, udp, lanes);
        await using var client = new CoapClient(new CoapClientSettings { Udp = udp });

        var found = await TakeAsync(client, $"coap://224.0.1.187:{first.Endpoints[0].Address.Port}/name", count: 2);

        found.Select(answer => answer.PayloadText).Should().BeEquivalentTo("first", "second");
        found.Select(answer => answer.Remote.Port).Should().BeEquivalentTo([first.Endpoints[0].Address.Port, second.Endpoints[0].Address.Port]);
        found.Should().OnlyContain(answer => !answer.Remote.IsMulticast);
    }

    private static async Task<List<CoapResponse>> TakeAsync(CoapClient client, string uri, int count)
    {
        var found = new List<CoapResponse>();
        await foreach (var answer in client.MulticastAsync(new CoapRequest(RequestCode.Get, uri) { IsConfirmable = false }, Request))
        {
            found.Add(answer);
            if (found.Count == count) { break; }
        }
        return found;
    }

    private static CoapServer Start(string name, IPEndPoint endPoint, int? port, UdpSettings udp, int lanes)
    {
        var multicast = new MulticastSettings { Interfaces = Loopback, Leisure = TimeSpan.FromMilliseconds(50), Port = port };
        var server = new CoapServer(new CoapServerSettings { Endpoints = [ServerEndpoint.Udp(endPoint)], Multicast = multicast, Udp = udp, Lanes = lanes });
        server.Resources.At("name").Get((_, _) => new(Response.Content(name))).AnswersMulticast();
        server.Start();
        return server;
    }
}
