using System.Net;
using System.Security.Cryptography.X509Certificates;
using CoAP.Tests.Transports.Tls;

namespace CoAP.Tests.Mesh;

/// <summary>Wrong values of settings fail where they are set, with the name of the property.</summary>
public sealed class EndpointSettingsTests
{
    public static TheoryData<string, Func<object>> Nulls => new()
    {
        { "Transmission", () => new CoapClientSettings { Transmission = null! } },
        { "Options", () => new CoapClientSettings { Options = null! } },
        { "Udp", () => new CoapClientSettings { Udp = null! } },
        { "Tcp", () => new CoapClientSettings { Tcp = null! } },
        { "Stream", () => new CoapClientSettings { Stream = null! } },
        { "ClientTransfers", () => new CoapClientSettings { ClientTransfers = null! } },
        { "ServerTransfers", () => new CoapClientSettings { ServerTransfers = null! } },
        { "RobustTransfers", () => new CoapClientSettings { RobustTransfers = null! } },
        { "Deduplication", () => new CoapClientSettings { Deduplication = null! } },
        { "ServerObservations", () => new CoapClientSettings { ServerObservations = null! } },
        { "ClientObservations", () => new CoapClientSettings { ClientObservations = null! } },
        { "Freshness", () => new CoapClientSettings { Freshness = null! } },
        { "Amplification", () => new CoapClientSettings { Amplification = null! } },
        { "Links", () => new CoapClientSettings { Links = null! } },
        { "LoggerFactory", () => new CoapClientSettings { LoggerFactory = null! } },
        { "TimeProvider", () => new CoapClientSettings { TimeProvider = null! } },
        { "Tls", () => new CoapClientSettings { Tls = null! } },
        { "Reconnect", () => new CoapClientSettings { Reconnect = null! } },
        { "Multicast", () => new CoapClientSettings { Multicast = null! } },
        { "Endpoints", () => new CoapServerSettings { Endpoints = null! } },
        { "Tls", () => new CoapServerSettings { Tls = null! } },
        { "WebSockets", () => new CoapServerSettings { WebSockets = null! } },
        { "Groups", () => new MulticastSettings { Groups = null! } },
        { "Interfaces", () => new MulticastSettings { Interfaces = null! } },
        { "Interfaces", () => new MulticastRequestSettings { Interfaces = null! } },
        { "TimeProvider", () => new ResponseCacheSettings { TimeProvider = null! } },
    };

    public static TheoryData<string, Func<object>> NullElements => new()
    {
        { "Links", () => new CoapClientSettings { Links = [null!] } },
        { "Endpoints", () => new CoapServerSettings { Endpoints = [ServerEndpoint.InMemory("server"), null!] } },
        { "Groups", () => new MulticastSettings { Groups = [IPAddress.Parse("224.0.1.187"), null!] } },
    };

    public static TheoryData<string, Func<object>> Undefined => new()
    {
        { "Mode is 9; the values of ServerMode are Async, AsyncSingle, Sync.", () => new CoapServerSettings { Mode = (ServerMode)9 } },
        { "Congestion is -1; the values of CongestionMode are Fixed, Adaptive.", () => new CoapClientSettings { Congestion = (CongestionMode)(-1) } },
        { "LaneForm is 2; the values of LaneForm are Thread, ThreadPool.", () => new CoapClientSettings { LaneForm = (LaneForm)2 } },
        { "RobustMode is 7; *", () => new ClientTransferSettings { RobustMode = (RobustMode)7 } },
        { "RobustMode is 7; *", () => new CoapRequest(RequestCode.Get) { RobustMode = (RobustMode)7 } },
        { "Revocation is 5; *", () => new TlsClientSettings { Revocation = (X509RevocationMode)5 } },
    };

    [Theory, MemberData(nameof(Nulls))]
    public void A_null_is_refused(string name, Func<object> create) =>
        create.Should().Throw<ArgumentNullException>().WithParameterName(name).WithMessage($"{name} is null; a value is required.*");

    [Theory, MemberData(nameof(NullElements))]
    public void A_null_in_a_list_is_refused(string name, Func<object> create) =>
        create.Should().Throw<ArgumentNullException>().WithParameterName(name).WithMessage($"{name} contains null; *");

    [Theory, MemberData(nameof(Undefined))]
    public void An_undefined_enum_value_is_refused(string message, Func<object> create) =>
        create.Should().Throw<ArgumentOutOfRangeException>().WithParameterName(message.Split(' ')[0]).WithMessage($"{message}*");

    [Fact]
    public void A_client_certificate_without_a_private_key_is_refused()
    {
        using var certificates = new TestCertificates();
        using var certificate = certificates.Issue("device");
        using var bare = X509CertificateLoader.LoadCertificate(certificate.RawData);

        ((Func<object>)(() => new TlsClientSettings { Certificate = bare })).Should().Throw<ArgumentException>()
            .WithParameterName("Certificate").WithMessage("The certificate of 'CN=device' has no private key.*");
    }

    [Fact]
    public void A_step_that_returns_no_delegate_fails_the_start()
    {
        using var server = new CoapServer(new() { Network = new InMemoryNetwork(TimeProvider.System), Endpoints = [ServerEndpoint.InMemory("server")] });
        server.Use(next => next).Use(_ => null!);

        server.Invoking(one => one.Start()).Should().Throw<InvalidOperationException>().WithMessage("Step 2 of 2 returned null.*");
    }
}
