using CoAP.Options;

namespace CoAP.Tests.Vocabulary;

/// <summary>Wrong arguments of requests and responses fail where they are passed, with the name of the parameter or property.</summary>
public sealed class WrongArgumentsTests
{
    private static readonly byte[] Bytes = [1];

    public static TheoryData<string, string, Func<object?>> Wrong => new()
    {
        { "ResponseTimeout", "ResponseTimeout is -00:00:01; it must be positive.", () => Get(TimeSpan.FromSeconds(-1)) },
        { "ResponseTimeout", "ResponseTimeout is 00:00:00; it must be positive.", () => Get(TimeSpan.Zero) },
        { "code", "Code 2.05 is not an error code; error codes have class 4 or 5.", () => Response.Error(ResponseCode.Content, "fine") },
        { "text", "", () => Response.Content(null!) },
        { "Payload", "A GET request cannot have a payload (RFC 7252, section 5.5).", () => new CoapRequest(RequestCode.Get) { Payload = Bytes } },
        { "Body", "A DELETE request cannot have a payload (RFC 7252, section 5.5).", () => new CoapRequest(RequestCode.Delete) { Body = Empty } },
        { "Body", "A request has a Payload in memory or a Body from a stream, not both.", () => new CoapRequest(RequestCode.Put) { Payload = Bytes, Body = Empty } },
        { "Payload", "A request has a Payload in memory or a Body from a stream, not both.", () => new CoapRequest(RequestCode.Put) { Body = Empty, Payload = Bytes } },
        { "Payload", "A response with code 2.03 cannot have a payload", () => new CoapResponse(ResponseCode.Valid) { Payload = Bytes } },
        { "destination", "", () => Client(client => client.Download("coap://server/", null!)) },
        { "destination", "", () => Client(client => client.DownloadAsync("coap://server/", null!).AsTask()) },
        { "destination", "The stream is not writable.", () => Client(client => client.Download("coap://server/", new MemoryStream([], writable: false))) },
        { "source", "", () => Client(client => client.Upload("coap://server/", null!)) },
        { "source", "", () => Client(client => client.UploadAsync("coap://server/", null!).AsTask()) },
        { "Value", "Content-Format (option 12) is 70000; at most 65535 is allowed.", () => new ContentFormat(70_000) },
        { "Value", "Observe (option 6) is 16777216; at most 16777215 is allowed.", () => new Observe(1 << 24) },
        { "Value", "Hop-Limit (option 16) is 0; 1 to 255 are allowed.", () => new HopLimit(0) },
        { "Value", "Hop-Limit (option 16) is 256; 1 to 255 are allowed.", () => new HopLimit(256) },
        { "Value", "Extended-Token-Length (option 6) is 7; 8 to 65804 are allowed.", () => new ExtendedTokenLength(7) },
    };

    [Fact]
    public void The_message_states_the_value_once() =>
        FluentActions.Invoking(() => new TcpSettings { MaxConnections = 0 }).Should().Throw<ArgumentOutOfRangeException>()
            .WithMessage("MaxConnections is 0; it must be at least 1. (Parameter 'MaxConnections')");

    [Fact]
    public void An_infinite_timeout_means_no_limit()
    {
        new CoapClientSettings { Timeout = Timeout.InfiniteTimeSpan }.Timeout.Should().Be(Timeout.InfiniteTimeSpan);
        new CoapRequest(RequestCode.Get) { Timeout = Timeout.InfiniteTimeSpan }.Timeout.Should().Be(Timeout.InfiniteTimeSpan);
    }

    private static BodySource Empty => BodySource.From(Stream.Null);

    [Theory, MemberData(nameof(Wrong))]
    public void The_exception_names_the_mistake(string name, string message, Func<object?> create) =>
        create.Should().Throw<ArgumentException>().WithParameterName(name).WithMessage($"{message}*");

    private static CoapRequest Get(TimeSpan responseTimeout) => new(RequestCode.Get) { ResponseTimeout = responseTimeout };

    private static object? Client(Func<CoapClient, object?> call)
    {
        using var client = new CoapClient(new() { Network = new InMemoryNetwork(TimeProvider.System) });
        return call(client);
    }
}
