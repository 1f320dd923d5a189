using System.Globalization;
using System.Net;
using Microsoft.Extensions.Configuration;

namespace CoAP.Hosting.Tests.Configuration;

public sealed class CoapSettingsBinderTests
{
    [Theory]
    [InlineData("Udp:ReciveBuffer", "4096", "Coap:Udp:ReciveBuffer is not a setting; did you mean ReceiveBufferSize?")]
    [InlineData("ReceiveBufferSize", "4096", "Coap:ReceiveBufferSize is not a setting; did you mean Udp:ReceiveBufferSize?")]
    [InlineData("Udp:Colour", "red", "Coap:Udp:Colour is not a setting; the keys here are ReceiveBufferSize, SendBufferSize, BatchSize, *.")]
    [InlineData("Udp:BatchSize", "0", "Coap:Udp:BatchSize is \"0\": BatchSize is 0; 1 to 1024 are allowed.")]
    [InlineData("Udp:BatchSize", "many", "Coap:Udp:BatchSize is \"many\"; write a whole number, such as 4096.")]
    [InlineData("Udp:BatchSize", "", "Coap:Udp:BatchSize is \"\"; write a whole number, such as 4096.")]
    [InlineData("Udp:BatchSize", "99999999999", "Coap:Udp:BatchSize is \"99999999999\"; write a whole number of at most 2147483647.")]
    [InlineData("Udp", "4096", "Coap:Udp has a value, but it is a section; its keys are ReceiveBufferSize, *.")]
    [InlineData("Lanes:Count", "2", "Coap:Lanes is a section, but it is one value; remove Coap:Lanes:Count.")]
    [InlineData("Ledger:UnverifiedShare", "0,1", "Coap:Ledger:UnverifiedShare is \"0,1\"; write a number with a point, such as 1.5.")]
    [InlineData("ListsResources", "yes", "Coap:ListsResources is \"yes\"; write true or false.")]
    [InlineData("ShutdownTimeout", "5", "Coap:ShutdownTimeout is \"5\"; write a time with a unit, such as 00:00:05, 5s, 250ms, 10min, 1h or 2d.")]
    [InlineData("ShutdownTimeout", "-5s", "Coap:ShutdownTimeout is \"-5s\": ShutdownTimeout is -00:00:05; 1 ms to 24 days are allowed.")]
    [InlineData("ShutdownTimeout", "1e300d", "Coap:ShutdownTimeout is \"1e300d\"; write a time*")]
    [InlineData("Mode", "Fast", "Coap:Mode is \"Fast\"; write Async or *.")]
    [InlineData("Mode", "1", "Coap:Mode is \"1\"; write Async or *.")]
    [InlineData("Endpoints", "*:5683", "Coap:Endpoints is \"*:5683\": Endpoint '*:5683' has no scheme; write coap://*:5683.")]
    [InlineData("Endpoints:1", "coap://*:x", "Coap:Endpoints:1 is \"coap://*:x\": Endpoint 'coap://*:x' is invalid: port 'x' does not consist of digits; ports are 0 to 65535.")]
    [InlineData("Multicast:Groups:0", "10.0.0.1", "Coap:Multicast:Groups: 10.0.0.1 is not a multicast address.")]
    [InlineData("Multicast:Groups", "all", "Coap:Multicast:Groups is \"all\": Write an IP address, such as 224.0.1.187 or ff02::fd.")]
    [InlineData("Multicast:Groups", "ff02::fd%typo0", "Coap:Multicast:Groups is \"ff02::fd%typo0\": The zone is not a network interface of the machine.")]
    [InlineData("Multicast:Groups:0", "ff02::fd%1", "Coap:Multicast:Groups: ff02::fd%1 has a zone, which would be ignored. Leave it out, and select the interfaces with Interfaces.")]
    [InlineData("Endpoints", "coap://[fe80::1%25typo0]", "Coap:Endpoints is \"coap://[fe80::1%25typo0]\": *zone 'typo0' is not a network interface of the machine*")]
    [InlineData("Endpoints", "coap://[fe80::1]", "Coap:Endpoints is \"coap://[fe80::1]\": *link-local address without a zone*")]
    [InlineData("Multicast:Interfaces", "", "Coap:Multicast:Interfaces is empty; write all, default, or the names of interfaces.")]
    [InlineData("RateLimit:Burst", "5", "Coap:RateLimit:Requests is missing; Coap:RateLimit needs it.")]
    [InlineData("LoggerFactory", "x", "Coap:LoggerFactory cannot be set by text, because it is an object; set it in code: settings => settings with { LoggerFactory = … }.")]
    [InlineData("Tls:Certificate", "a.pem", "Coap:Tls:Certificate cannot be set by text; write CertificateFile and KeyFile, the paths of PEM files.")]
    [InlineData("Tls:TrustedRoots", "a.pem", "Coap:Tls:TrustedRoots cannot be set by text; write TrustedRootsFile, the path of a PEM file.")]
    [InlineData("Tls:KeyFile", "key.pem", "Coap:Tls:KeyFile is \"key.pem\" without a certificate; also write Coap:Tls:CertificateFile.")]
    [InlineData("Tls:CertificateFile", "missing.pem", "Coap:Tls:CertificateFile is \"missing.pem\": *missing.pem* The paths are relative to *.")]
    [InlineData("Tls:TrustedRootsFile", "missing.pem", "Coap:Tls:TrustedRootsFile is \"missing.pem\": *missing.pem* The paths are relative to *.")]
    [InlineData("Tls:Protocols", "Tls", "Coap:Tls:Protocols is \"Tls\": *")]
    [InlineData("Dtls:HandshakeTimeout", "5s", "Coap:Dtls needs a reader: reference CoAP.NET.Dtls and call services.AddSingleton<ICoapSettingsSection>(new CoapSettingsSection<CoapServerSettings, DtlsServerSettings>(\"Dtls\", () => new(), settings => settings with { })).")]
    public void Refuses_a_wrong_key_or_value_and_says_what_to_write(string key, string value, string problem)
    {
        var applying = () => Apply((key, value));

        applying.Should().Throw<CoapConfigurationException>().WithMessage($"The configuration of CoAP is wrong: {problem}")
            .Which.Problems.Should().ContainSingle();
    }

    [Fact]
    public void Reports_all_errors_at_once()
    {
        var applying = () => Apply(("Lanes", "0"), ("Udp:Batch", "1"), ("Tcp:KeepAlive", "soon"));

        applying.Should().Throw<CoapConfigurationException>().WithMessage("The configuration of CoAP has 3 errors:*- Coap:Lanes*- Coap:Tcp:KeepAlive*- Coap:Udp:Batch*")
            .Which.Problems.Should().HaveCount(3);
    }

    [Fact]
    public void Changes_only_the_keys_that_are_present_and_leaves_the_given_settings_as_they_are()
    {
        var given = new CoapServerSettings { Lanes = 3, Udp = new() { BatchSize = 7, SendBufferSize = 99 }, TimeProvider = new NoTime() };

        var bound = new CoapSettingsBinder().Apply(given, Section(("Udp:BatchSize", "8")));

        bound.Should().Be(given with { Udp = given.Udp with { BatchSize = 8 } });
        given.Udp.BatchSize.Should().Be(7);
    }

    [Fact]
    public void Values_that_follow_from_others_still_follow_them()
    {
        var bound = Apply(("Transmission:MaxRetransmit", "2"), ("RateLimit:Requests", "30"));

        bound.ResponseTimeout.Should().Be((new TransmissionParameters { MaxRetransmit = 2 }).ExchangeLifetime);
        bound.RateLimit.Should().Be(new RateLimit { Requests = 30 });
        bound.RateLimit!.Burst.Should().Be(30);
    }

    [Theory]
    [InlineData("00:00:05", 5000)]
    [InlineData("5s", 5000)]
    [InlineData("250ms", 250)]
    [InlineData("1.5 s", 1500)]
    [InlineData("10min", 600_000)]
    [InlineData("1h", 3_600_000)]
    [InlineData("2D", 172_800_000)]
    public void Reads_times_in_any_culture(string text, int milliseconds)
    {
        var before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = new CultureInfo("") { NumberFormat = { NumberDecimalSeparator = "," } };

            Apply(("ShutdownTimeout", text)).ShutdownTimeout.Should().Be(TimeSpan.FromMilliseconds(milliseconds));
        }
        finally { CultureInfo.CurrentCulture = before; }
    }

    [Fact]
    public void Reads_all_kinds_of_values()
    {
        var bound = Apply(
            ("endpoints:0", "coap://localhost:0"), ("Endpoints:1", "in-memory://a"), ("MODE", "sync"), ("Tcp:KeepAlive", "30s"), ("MaxInFlightSize", "123456789012"),
            ("Stream:IdleTimeout", ""), ("Multicast:Interfaces", "all"), ("Multicast:Groups", "224.0.1.187;ff02::fd"), ("Multicast:Port", "61616"),
            ("Tls:Protocols", "Tls13"), ("Transmission:AckRandomFactor", "1.25"), ("AllowsMessageIdReuse", "TRUE"));

        bound.Endpoints.Select(endpoint => $"{endpoint}").Should().Equal("coap://127.0.0.1:0", "coap://[::1]:0", "in-memory://a");
        (bound.Mode, bound.MaxInFlightSize, bound.AllowsMessageIdReuse).Should().Be((ServerMode.Sync, 123_456_789_012L, true));
        bound.Tcp.KeepAlive.Should().Be(TimeSpan.FromSeconds(30));
        bound.Stream.IdleTimeout.Should().BeNull();
        bound.Multicast!.Interfaces.Should().BeSameAs(MulticastInterfaces.All);
        bound.Multicast.Port.Should().Be(61_616);
        bound.Multicast.Groups.Should().Equal(IPAddress.Parse("224.0.1.187"), IPAddress.Parse("ff02::fd"));
        bound.Tls.Protocols.Should().Be(System.Security.Authentication.SslProtocols.Tls13);
        bound.Transmission.AckRandomFactor.Should().Be(1.25);
    }

    [Fact]
    public void Reads_the_settings_of_clients()
    {
        var bound = new CoapSettingsBinder().Apply(new CoapClientSettings(), Section(
            ("LocalEndPoint", "192.0.2.1:0"), ("Timeout", "infinite"), ("Cache:MaxEntries", "7"), ("Multicast:Interfaces:0", "eth0"), ("Multicast:Interfaces:1", "eth1")));

        bound.LocalEndPoint.Should().Be(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 0));
        bound.Timeout.Should().Be(Timeout.InfiniteTimeSpan);
        bound.Cache.Should().NotBeNull();
        bound.Multicast.Interfaces.ToString().Should().Be("eth0, eth1");
    }

    [Fact]
    public void Refuses_a_client_endpoint_without_a_port()
    {
        var applying = () => new CoapSettingsBinder().Apply(new CoapClientSettings(), Section(("LocalEndPoint", "1")));

        applying.Should().Throw<CoapConfigurationException>().WithMessage("*Coap:LocalEndPoint is \"1\"; write an address and a port, such as 192.0.2.1:0 or [::]:5683.");
        applying = () => new CoapSettingsBinder().Apply(new CoapClientSettings(), Section(("LocalEndPoint", "[fe80::1%typo0]:0")));
        applying.Should().Throw<CoapConfigurationException>().WithMessage("*Coap:LocalEndPoint is \"[fe80::1%typo0]:0\"; write an address whose zone is a network interface of the machine*");
    }

    [Fact]
    public void An_empty_section_changes_nothing()
    {
        var given = new CoapServerSettings();

        new CoapSettingsBinder().Apply(given, Section()).Should().Be(given);
    }

    internal static IConfigurationSection Section(params (string Key, string? Value)[] values) => new ConfigurationBuilder()
        .AddInMemoryCollection(values.Select(pair => KeyValuePair.Create($"Coap:{pair.Key}", pair.Value))).Build().GetSection("Coap");

    private static CoapServerSettings Apply(params (string Key, string? Value)[] values) => new CoapSettingsBinder().Apply(new CoapServerSettings(), Section(values));

    private sealed class NoTime : TimeProvider;
}
