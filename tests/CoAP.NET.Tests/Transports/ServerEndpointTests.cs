using System.Net;

namespace CoAP.Tests.Transports;

public sealed class ServerEndpointTests
{
    [Theory]
    [InlineData("", "The endpoint is empty; write coap://*:5683.")]
    [InlineData("coaps://me:secret@127.0.0.1",
        "The endpoint has a user name before \"@\", but CoAP URIs have none (RFC 7252, section 6.1); write coap://*:5683.")]
    [InlineData("me:secret@127.0.0.1", "The endpoint has a user name before \"@\"*")]
    [InlineData("5683", "Endpoint '5683' has no scheme; write coap://*:5683.")]
    [InlineData("*:5683", "Endpoint '*:5683' has no scheme; write coap://*:5683.")]
    [InlineData("127.0.0.1:1", "Endpoint '127.0.0.1:1' has no scheme; write coap://127.0.0.1:1.")]
    [InlineData("://*:1", "Endpoint '://*:1' has no scheme; write coap://*:1.")]
    [InlineData("ws://*:80", "*the web host accepts WebSockets, not the server; call MapCoap of the package CoAP.NET.AspNetCore*")]
    [InlineData("coaps+ws://*:80", "*the web host accepts WebSockets*")]
    [InlineData("http://*:80", "*'http' is not a scheme of CoAP; write coap://*:80.")]
    [InlineData("http://127.0.0.1:5683", "*'http' is not a scheme of CoAP; write coap://127.0.0.1:5683.")]
    [InlineData("http://host/path", "*'http' is not a scheme of CoAP; write coap://*:5683.")]
    [InlineData("udp://*:1", "*'udp' is not a scheme of a server; the schemes are coap, coaps, coap+tcp, coaps+tcp, coap+unix and in-memory.")]
    [InlineData("coap://*:70000", "*port 70000 is out of range; ports are 0 to 65535, and 0 takes a free one.")]
    [InlineData("coap://*:-1", "*port '-1' does not consist of digits; ports are 0 to 65535.")]
    [InlineData("coap://*:abc", "*port 'abc' does not consist of digits; ports are 0 to 65535.")]
    [InlineData("coap://*:+5683", "*port '+5683' does not consist of digits*")]
    [InlineData("coap://*: 5683", "*port ' 5683' does not consist of digits*")]
    [InlineData("coap://*:99999999999", "*port 99999999999 is out of range*")]
    [InlineData("coap://example.com", "*'example.com' is not an IP address; a server listens on addresses, not on host names; write coap://* for all addresses of the machine.")]
    [InlineData("coap://1", "*'1' is not an IP address*")]
    [InlineData("coap+tcp://:5683", "*it has no address; write coap+tcp://* for all addresses of the machine.")]
    [InlineData("coap://*:5683/sensors", "*'/sensors' is behind the address; an endpoint has no path and no query, because resources are mapped at paths.")]
    [InlineData("coap://*:5683?a=b", "*'?a=b' is behind the address*")]
    [InlineData("coap://*:5683,coap+tcp://*:5683", "*it contains several endpoints; separate them by semicolons and call ParseAll, or write each as an element of the list*")]
    [InlineData("coap://*:5683 coap+tcp://*:5683", "*it contains several endpoints*")]
    [InlineData("coap://+:5683", "*'+' is not an IP address*write coap://* for all addresses of the machine.")]
    [InlineData("coap://::1", "*an IPv6 address needs brackets; write coap://[::1]:5683.")]
    [InlineData("coap://[::1", "*an IPv6 address needs brackets*")]
    [InlineData("coap://[::g]", "*'[::g]' is not an IPv6 address; write [::1], or [fe80::1%25eth0] with the zone of a link-local address.")]
    [InlineData("coap://[1.2.3.4]", "*'[1.2.3.4]' is not an IPv6 address*")]
    [InlineData("coap://[fe80::1%25]", "*'[fe80::1%25]' is not an IPv6 address*")]
    [InlineData("coap://[fe80::1]", "*fe80::1 is a link-local address without a zone; write the network interface behind it, as in [fe80::1%25eth0]*")]
    [InlineData("coap://[fe80::1%250]", "*fe80::1 is a link-local address without a zone*")]
    [InlineData("coap://[2001:db8::1%25lo]", "*zone 'lo' has no meaning, because 2001:db8::1 is not a link-local address*")]
    [InlineData("coap://[fe80::1%25no-such-interface]", "*zone 'no-such-interface' is not a network interface of the machine; write the name or the number of one*")]
    [InlineData("coap+unix://", "*it has no path; write coap+unix:///run/coap.sock.")]
    [InlineData("in-memory://", "*it has no name; write in-memory://server.")]
    [InlineData("coap://localhost:1", "Endpoint 'coap://localhost:1' stands for two addresses; write coap://127.0.0.1:1 or coap://[::1]:1, or call ParseAll.")]
    public void Refuses_a_wrong_text_and_says_what_to_write(string text, string message)
    {
        var parsing = () => ServerEndpoint.Parse(text);

        parsing.Should().Throw<FormatException>().WithMessage(message);
        ServerEndpoint.TryParse(text, out var endpoint).Should().BeFalse();
        endpoint.Should().BeNull();
    }

    [Theory]
    [InlineData("coap://*", "coap://[::]:5683")]
    [InlineData("COAP://*:0", "coap://[::]:0")]
    [InlineData("coap://0.0.0.0", "coap://0.0.0.0:5683")]
    [InlineData("coaps://*", "coaps://[::]:5684")]
    [InlineData("coaps://*:1", "coaps://[::]:1")]
    [InlineData("coap+tcp://127.0.0.1", "coap+tcp://127.0.0.1:5683")]
    [InlineData("coaps+tcp://[::1]", "coaps+tcp://[::1]:5684")]
    [InlineData("coap://[fe80::1%253]:5", "coap://[fe80::1%253]:5")]
    [InlineData("coap://*:", "coap://[::]:5683")]
    [InlineData("coaps+tcp://[::1]:", "coaps+tcp://[::1]:5684")]
    [InlineData("coap://*:005683", "coap://[::]:5683")]
    [InlineData("coap+unix:///run/coap.sock", "coap+unix:///run/coap.sock")]
    [InlineData("in-memory://Server", "in-memory://server")]
    public void Reads_all_schemes_and_writes_what_it_reads(string text, string written)
    {
        var endpoint = ServerEndpoint.Parse(text);

        endpoint.ToString().Should().Be(written);
        ServerEndpoint.Parse(written).Should().Be(endpoint);
        ServerEndpoint.TryParse(text, out var same).Should().BeTrue();
        same.Should().Be(endpoint);
    }

    [Theory, Trait("RFC", "6874 2")]
    [InlineData("[fe80::1%253]", 3)]
    [InlineData("[fe80::1%2512]", 12)]
    [InlineData("[fe80::1%25253]", 253)]
    [InlineData("[fe80::1%3]", 3)]
    [InlineData("[fe80::1%12]", 12)]
    [InlineData("[::%250]", 0)]
    public void Reads_a_zone_as_a_URI_has_it_and_after_a_bare_percent_sign(string host, long scope) =>
        ServerEndpoint.Parse($"coap://{host}:1").Address.Address.ScopeId.Should().Be(scope);

    [Fact]
    public void Reads_the_zone_of_a_text_that_a_URI_or_an_endpoint_has_written()
    {
        var address = new IPAddress(IPAddress.Parse("fe80::1").GetAddressBytes(), 253);
        var uri = CoapUri.FromOptions(CoapScheme.Coap, [], address, 5683);

        ServerEndpoint.Parse(uri.ToString().TrimEnd('/')).Address.Address.Should().Be(address);
        ServerEndpoint.Parse(ServerEndpoint.Tcp(new IPEndPoint(address, 1)).ToString()).Address.Address.Should().Be(address);
    }

    [Fact]
    public void Reads_lists_and_both_addresses_of_localhost()
    {
        var endpoints = ServerEndpoint.ParseAll("coap://localhost:0 ; coaps+tcp://*");

        endpoints.Should().Equal(
            ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0)), ServerEndpoint.Udp(new IPEndPoint(IPAddress.IPv6Loopback, 0)),
            ServerEndpoint.Tls(new IPEndPoint(IPAddress.IPv6Any, 5684)));
        FluentActions.Invoking(() => ServerEndpoint.ParseAll("coap://*;")).Should().Throw<FormatException>().WithMessage("The endpoint is empty*");
    }
}
