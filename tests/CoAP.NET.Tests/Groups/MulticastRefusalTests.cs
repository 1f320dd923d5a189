namespace CoAP.Tests.Groups;

/// <summary>Calls that are for one peer refuse a group, and the other way round; nothing is sent.</summary>
public sealed class MulticastRefusalTests
{
    [Theory, Trait("RFC", "7252 8.1")]
    [InlineData("coap://224.0.1.187/x"), InlineData("coap://[ff02::fd]/x"), InlineData("coap://255.255.255.255/x"), InlineData("coap+tcp://224.0.1.187/x")]
    public async Task A_call_for_one_response_refuses_a_group_and_names_the_other_call(string uri)
    {
        await using var client = new CoapClient();

        await client.Awaiting(one => one.GetAsync(uri).AsTask()).Should().ThrowAsync<ArgumentException>().WithMessage("*MulticastAsync*");
        client.Invoking(one => one.Get(uri)).Should().Throw<ArgumentException>().WithMessage("*MulticastAsync*");
        client.Invoking(one => one.ObserveAsync(uri)).Should().Throw<ArgumentException>().WithMessage("*MulticastAsync*");
    }

    [Fact, Trait("RFC", "7252 8.1")]
    public async Task A_channel_to_a_group_sends_nothing()
    {
        await using var server = new CoapServer(new CoapServerSettings { Endpoints = [ServerEndpoint.Udp(new(System.Net.IPAddress.Loopback, 0))] });
        server.Start();
        var channel = server.OpenChannel(PeerIdentity.From(new System.Net.IPEndPoint(System.Net.IPAddress.Parse("224.0.1.187"), 5683)));

        await channel.Awaiting(one => one.SendAsync(new CoapRequest(RequestCode.Get, "/x")).AsTask()).Should().ThrowAsync<ArgumentException>();
    }

    [Fact, Trait("RFC", "7252 8.1")]
    public void A_confirmable_request_to_a_group_is_refused()
    {
        using var client = new CoapClient();
        var request = new CoapRequest(RequestCode.Get, "coap://224.0.1.187/x");

        client.Invoking(one => one.MulticastAsync(request)).Should().Throw<ArgumentException>().WithMessage("*IsConfirmable*");
        client.Invoking(one => one.Multicast(request)).Should().Throw<ArgumentException>().WithMessage("*IsConfirmable*");
    }

    // 5684 is for DTLS, which has one peer.
    [Theory, Trait("RFC", "10020 3.4")]
    [InlineData("coap://224.0.1.187:5684/x"), InlineData("coap://[ff02::fd]:5684/x"), InlineData("coap://all.example:5684/x")]
    public void A_group_at_the_port_of_DTLS_is_refused(string uri)
    {
        using var client = new CoapClient();

        client.Invoking(one => one.Multicast(uri, TimeSpan.FromSeconds(1))).Should().Throw<ArgumentException>().WithMessage("*port 5684*RFC 10020, section 3.4*");
        client.Invoking(one => one.MulticastAsync(uri, TimeSpan.FromSeconds(1))).Should().Throw<ArgumentException>().WithMessage("*port 5684*");
    }

    [Fact, Trait("RFC", "10020 3.4")]
    public void A_server_does_not_serve_a_group_at_the_port_of_DTLS()
    {
        var setting = () => new MulticastSettings { Port = 5684 };
        var byDefault = () => new MulticastSettings().PlacesFor([new(System.Net.IPAddress.Loopback, 5684)]);

        setting.Should().Throw<ArgumentException>().WithMessage("*5684*RFC 10020, section 3.4*");
        byDefault.Should().Throw<ArgumentException>().WithMessage("*5684*RFC 10020, section 3.4*");
    }

    [Fact, Trait("RFC", "10020 3.9.1"), Trait("RFC", "7252 12.8")]
    public void A_server_joins_All_CoAP_Nodes_with_the_scopes_link_local_admin_local_and_site_local()
    {
        var places = new MulticastSettings().PlacesFor([new(System.Net.IPAddress.IPv6Any, 5683)]);

        places.Select(place => place.Group.Address.ToString()).Should().Equal("224.0.1.187", "ff02::fd", "ff04::fd", "ff05::fd");
    }

    [Theory]
    [InlineData("coap://127.0.0.1/x"), InlineData("coap://[::1]/x"), InlineData("coap+tcp://224.0.1.187/x")]
    public void A_group_request_to_something_else_is_refused(string uri)
    {
        using var client = new CoapClient();

        client.Invoking(one => one.Multicast(uri, TimeSpan.FromSeconds(1))).Should().Throw<ArgumentException>();
    }

    [Fact]
    public void An_interface_that_is_missing_is_named()
    {
        using var client = new CoapClient();
        var settings = new MulticastRequestSettings { Interfaces = MulticastInterfaces.Of("none0") };
        var request = new CoapRequest(RequestCode.Get, "coap://224.0.1.187/x") { IsConfirmable = false };

        client.Invoking(one => one.Multicast(request, settings).ToList()).Should().Throw<ArgumentException>().WithMessage("*none0*");
    }

    [Fact]
    public void Only_multicast_addresses_can_be_joined()
    {
        var wrong = () => new MulticastSettings { Groups = [System.Net.IPAddress.Loopback] };

        wrong.Should().Throw<ArgumentException>().WithMessage("127.0.0.1 is not a multicast address*");
    }
}
