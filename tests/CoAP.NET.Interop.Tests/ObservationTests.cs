using System.Globalization;
using CoAP.Interop.Tests.Programs;
using Client = CoAP.Interop.Tests.Programs.SampleClient;

namespace CoAP.Interop.Tests;

/// <summary>libcoap and our samples observe each other. These tests wait most of the time, so they run beside those of bodies.</summary>
[Trait("Category", "Interop")]
public sealed class ObservationTests(SharedServers servers) : IClassFixture<SharedServers>
{
    [SkippableTheory]
    [InlineData("async", "coap")]
    [InlineData("async-single", "coap")]
    [InlineData("sync", "coap")]
    [InlineData("async", "coap+tcp")]
    [InlineData("sync", "coap+tcp")]
    [Trait("RFC", "7641 1.2")]
    public async Task Libcoap_observes_the_time_of_our_server(string mode, string scheme)
    {
        Needed.Programs(Needed.CoapClient);
        var server = await servers.GetAsync(mode);

        var observed = await LibcoapClient.ObserveAsync($"{await server.BaseAsync(scheme, "127.0.0.1")}/time", seconds: 6);

        observed.Should().HaveCountGreaterThan(2);
        observed.Select(text => DateTime.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind)).Should().BeInAscendingOrder();
    }

    [SkippableTheory]
    [InlineData("coap", "")]
    [InlineData("coap", "--sync")]
    [InlineData("coap+tcp", "")]
    [InlineData("coap+tcp", "--sync")]
    [Trait("RFC", "7641 1.2")]
    public async Task Our_client_observes_the_time_of_libcoap(string scheme, string form)
    {
        Needed.Programs(Needed.CoapServer);
        await using var server = await LibcoapServer.StartAsync("127.0.0.1");

        var observed = await Client.RunAsync(
            ["GET", $"{server.Base(scheme)}/time", "--observe", "6", .. form.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);

        observed.ExitCode.Should().Be(0, "{0}", observed);
        observed.Output.Should().HaveCountGreaterThan(2).And.BeInAscendingOrder(StringComparer.Ordinal);
        observed.Output.Distinct().Should().HaveCountGreaterThan(2);
        observed.Output.Should().OnlyContain(line => line.Contains(':'), "libcoap writes times such as \"Nov 21 14:00:00\"");
    }
}
