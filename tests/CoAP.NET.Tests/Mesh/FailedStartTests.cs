using System.Net;
using System.Net.Sockets;
using CoAP.Accounting;
using CoAP.Lanes;
using CoAP.Mesh;

namespace CoAP.Tests.Mesh;

/// <summary>An endpoint that cannot bind its addresses leaves nothing in the metrics.</summary>
[Collection("Loopback")]
public sealed class FailedStartTests
{
    private const int Mark = 7_777_778;      // no other test has this limit

    [Fact]
    public void A_server_whose_address_is_in_use_leaves_no_ledger()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        using var server = new CoapServer(new CoapServerSettings
        {
            MaxInFlightSize = Mark,
            Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0)), ServerEndpoint.Tcp((IPEndPoint)taken.LocalEndpoint)],
        });

        server.Invoking(one => one.Start()).Should().Throw<SocketException>();

        OpenLedgers().Should().Be(0);
    }

    [Fact]
    public async Task A_client_whose_port_is_in_use_leaves_no_ledger()
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await using var client = new CoapClient(new CoapClientSettings { MaxInFlightSize = Mark, LocalEndPoint = (IPEndPoint)taken.LocalEndPoint! });

        await client.Awaiting(one => one.GetAsync("coap://127.0.0.1/").AsTask()).Should().ThrowAsync<CoapTransportException>();

        OpenLedgers().Should().Be(0);
    }

    [Fact]
    public void Lanes_that_never_started_leave_no_counters()
    {
        var datagrams = new EndpointDatagrams(new EndpointParts(new CoapServerSettings(), null, [], CancellationToken.None), static _ => { });
        datagrams.Add([new InMemoryNetwork().OpenDatagrams(PeerIdentity.From("a"))]);
        datagrams.Lanes[0].Metrics[LaneCounters.DeduplicationWindow] = Mark;

        datagrams.Abandon();

        LaneCounters.Group.Each(LaneCounters.DeduplicationWindow).Should().NotContain(Mark);
    }

    private static long OpenLedgers() => LedgerMetrics.Sum(static ledger => ledger.UnsentBytes.Limit == Mark / 2 ? 1 : 0);
}
