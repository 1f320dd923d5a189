using System.Net;
using CoAP.Exchanges;

namespace CoAP.Tests.Exchanges;

/// <summary>A link-local address with a wrong zone or without one is an error before anything is sent: another host may have the same address on another link.</summary>
public sealed class AddressZoneTests
{
    private readonly AddressBook _addresses = new(TimeSpan.FromMinutes(5), new ManualClock());

    [Theory, Trait("RFC", "4007 6")]
    [InlineData("[fe80::1%25typo0]", "*fe80::1 cannot be used: zone 'typo0' is not a network interface of the machine*")]
    [InlineData("[fe80::1%typo0]", "*zone 'typo0' is not a network interface*")]
    [InlineData("[FE80:0::1%25typo0]", "*zone 'typo0' is not a network interface*")]
    [InlineData("[fe80::1%25LO]", "*zone 'LO' is not a network interface*")]
    [InlineData("[fe80::1%25lo%20]", "*zone 'lo ' is not a network interface*")]
    [InlineData("[febf::1%25typo0]", "*zone 'typo0' is not a network interface*")]
    [InlineData("[fe80::1%25987654321]", "*zone '987654321' is not a network interface*")]
    [InlineData("[fe80::1%254294967297]", "*zone '4294967297' is not a network interface*")]
    [InlineData("[fe80::1%25-1]", "*zone '-1' is not a network interface*")]
    [InlineData("[ff02::fd%25typo0]", "*zone 'typo0' is not a network interface*")]
    [InlineData("[ff01::fd%25987654321]", "*zone '987654321' is not a network interface*")]
    public async Task An_unknown_zone_is_an_error(string host, string error) => await ExpectAsync<CoapTransportException>(host, error);

    [Theory, Trait("RFC", "4007 6")]
    [InlineData("[fe80::1]", "*fe80::1 is a link-local address without a zone; write the network interface behind it, as in [fe80::1%25eth0]*")]
    [InlineData("[febf::1]", "*without a zone*")]
    [InlineData("[fe80::1%250]", "*zone*")]
    [InlineData("[2001:db8::1%25typo0]", "*zone 'typo0' has no meaning, because 2001:db8::1 is not a link-local address; leave the zone out*")]
    [InlineData("[2001:db8::1%25lo]", "*zone 'lo' has no meaning*")]
    [InlineData("[::1%25lo]", "*zone 'lo' has no meaning*")]
    [InlineData("[ff05::fd%25lo]", "*zone 'lo' has no meaning*")]
    [InlineData("[::ffff:192.0.2.1%25lo]", "*zone 'lo' has no meaning*")]
    [InlineData("fe80%3A%3A1%25typo0", "*'fe80::1%typo0' is not a name. Write an IPv6 address in brackets*")]
    [InlineData("%5Bfe80%3A%3A1%5D", "*is not a name. Write an IPv6 address in brackets*")]
    public async Task A_missing_zone_and_one_without_a_meaning_are_errors(string host, string error) =>
        await ExpectAsync<ArgumentException>(host, error);

    [Theory]
    [InlineData("[::1]", "::1"), InlineData("[ff02::fd]", "ff02::fd"), InlineData("127.0.0.1", "127.0.0.1"), InlineData("[fe80::1%251]", "fe80::1%1")]
    [InlineData("[ff02::fd%251]", "ff02::fd%1"), InlineData("127.1", "127.0.0.1")]
    public async Task Other_addresses_are_taken_as_they_are(string host, string address)
    {
        _addresses.Resolve(Target(host))[0].Address.Address.Should().Be(IPAddress.Parse(address));
        (await _addresses.ResolveAsync(Target(host), default))[0].Address.Address.Should().Be(IPAddress.Parse(address));
    }

    [Theory]
    [InlineData("[fe80::1%25typo0]"), InlineData("[fe80::1]")]
    public async Task A_client_sends_nothing(string host)
    {
        await using var client = new CoapClient();
        var put = () => client.PutAsync($"coap://{host}/valve", "open").AsTask();
        var get = () => client.Get($"coap+tcp://{host}/valve");

        (await put.Should().ThrowAsync<Exception>()).WithMessage("*zone*");
        get.Should().Throw<Exception>().WithMessage("*zone*");
    }

    private static RequestTarget Target(string host) => RequestTarget.Of(new CoapRequest(RequestCode.Get, $"coap://{host}/valve"));

    private async Task ExpectAsync<T>(string host, string error)
        where T : Exception
    {
        var block = () => _addresses.Resolve(Target(host));
        var asynchronous = async () => await _addresses.ResolveAsync(Target(host), default);

        block.Should().Throw<T>().WithMessage(error);
        (await asynchronous.Should().ThrowAsync<T>()).WithMessage(error);
    }
}
