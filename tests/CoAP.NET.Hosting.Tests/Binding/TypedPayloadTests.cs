using System.Text;

namespace CoAP.Hosting.Tests.Binding;

/// <summary>Payloads and results of typed handlers.</summary>
public sealed class TypedPayloadTests : IAsyncLifetime
{
    private readonly BoundServer _server;
    private int _calls;

    public TypedPayloadTests() => _server = BoundServer.With(map =>
    {
        map.MapCoapPut("/reading", (Reading reading) => new Reading(reading.Watts + 1));
        map.MapCoapPost("/reading", async (Reading reading, CancellationToken token) =>
        {
            await Task.Yield();
            return CoapResults.Created("/readings/7?a=b%20c", reading);
        });
        map.MapCoapFetch("/reading", ValueTask<Reading?> (Reading reading) => new(reading.Watts < 0 ? null : reading));
        map.MapCoapPatch("/reading", (Reading? reading) => $"{reading?.Watts ?? -1}");
        map.MapCoapIPatch("/reading", Task (byte[] bytes) => bytes.Length == 0 ? throw new CoapResponseException(ResponseCode.Conflict) : Task.CompletedTask);
        map.MapCoapDelete("/reading", () => { });
        map.MapCoapGet("/reading", Reading? () => null);
        map.MapCoapPut("/text", ([FromPayload] string text) => text.Length);
        map.MapCoapPost("/text", (ReadOnlyMemory<byte> bytes) => Encoding.UTF8.GetString(bytes.Span));
        map.MapCoapPatch("/text", (Stream body) => $"{body.Length}");
        map.MapCoapGet("/number", int? () => null);
        map.MapCoapGet("/response", CoapResponse? () => null);
        map.MapCoapDelete("/text", Reading? () => null);
        map.MapCoapDelete("/number", Task<int?> () => Task.FromResult<int?>(null));
        map.MapCoapDelete("/response", CoapResponse? () => null);
        map.MapCoapPost("/acting", () => new Reading(++_calls));
        map.MapCoapPut("/acting", ValueTask<Reading?> () => new(new Reading(++_calls)));
        map.MapCoapFetch("/acting", () => new Reading(++_calls));
    });

    public Task InitializeAsync() => Task.CompletedTask;

    public Task DisposeAsync() => _server.DisposeAsync().AsTask();

    [Fact]
    public async Task A_synchronous_handler_reads_and_returns_a_value()
    {
        var response = await _server.AskAsync(RequestCode.Put, "/reading", """{"watts":2}""");

        response.Code.Should().Be(ResponseCode.Changed);
        response.PayloadText.Should().Be("""{"watts":3}""");
    }

    [Fact]
    public async Task An_asynchronous_handler_reads_a_value_and_returns_a_response()
    {
        var response = await _server.AskAsync(RequestCode.Post, "/reading", """{"watts":2}""");

        response.Code.Should().Be(ResponseCode.Created);
        response.PayloadText.Should().Be("""{"watts":2}""");
        response.Options.GetAll<Options.LocationPath>().Select(one => one.Value).Should().Equal("readings", "7");
        response.Options.GetAll<Options.LocationQuery>().Select(one => one.Value).Should().Equal("a=b c");
    }

    [Theory]
    [InlineData("""{"watts":2}""", "2.05")]
    [InlineData("""{"watts":-2}""", "4.04")]
    [InlineData("""{"watts":"a"}""", "4.00")]
    [InlineData("""{"watts":""", "4.00")]
    [InlineData("null", "4.00")]
    [InlineData("", "4.00")]
    public async Task A_value_gets_2_05_null_4_04_and_a_malformed_payload_4_00(string json, string code) =>
        (await _server.AskAsync(RequestCode.Fetch, "/reading", json)).Code.ToString().Should().StartWith(code);

    [Fact]
    public async Task A_payload_in_no_known_format_gets_4_15() =>
        (await _server.AskAsync(new CoapRequest(RequestCode.Put, "coap://server/reading") { Options = [new Options.ContentFormat(ContentFormats.Cbor)], Payload = new byte[] { 1 } }))
            .Code.Should().Be(ResponseCode.UnsupportedContentFormat);

    [Fact]
    public async Task No_payload_gets_4_00() => (await _server.AskAsync(RequestCode.Put, "/reading")).Code.Should().Be(ResponseCode.BadRequest);

    [Fact]
    public async Task A_payload_without_a_Content_Format_is_read_in_the_only_format_of_its_type() =>
        (await _server.AskAsync(new CoapRequest(RequestCode.Put, "coap://server/reading") { Payload = """{"watts":2}"""u8.ToArray() }))
            .PayloadText.Should().Be("""{"watts":3}""");

    [Fact]
    public async Task An_optional_payload_may_be_absent() =>
        (await _server.AskAsync(RequestCode.Patch, "/reading")).PayloadText.Should().Be("-1");

    [Theory]
    [InlineData("1", "2.04")]
    [InlineData("", "4.09")]
    public async Task A_task_without_result_gets_2_04_and_an_exception_its_code(string text, string code) =>
        (await _server.AskAsync(RequestCode.IPatch, "/reading", text)).Code.ToString().Should().StartWith(code);

    [Fact]
    public async Task A_handler_of_DELETE_without_result_gets_2_02() =>
        (await _server.AskAsync(RequestCode.Delete, "/reading")).Code.Should().Be(ResponseCode.Deleted);

    [Theory, Trait("RFC", "7252 5.8.4")]
    [InlineData("/text")]
    [InlineData("/number")]
    [InlineData("/response")]
    public async Task Null_of_a_handler_of_DELETE_gets_2_02(string path) => (await _server.AskAsync(RequestCode.Delete, path)).Code.Should().Be(ResponseCode.Deleted);

    [Theory, Trait("RFC", "7252 5.9.2.7")]
    [InlineData(2, 0)]
    [InlineData(3, 0)]
    [InlineData(5, 1)]
    public async Task A_handler_that_changes_something_is_not_called_if_the_client_does_not_accept_its_result(int method, int calls)
    {
        var request = new CoapRequest(new CoapCode(0, method), "coap://server/acting")
        {
            Options = [new Options.ContentFormat(ContentFormats.Json), new Options.Accept(ContentFormats.Cbor)],
            Payload = "1"u8.ToArray(),
        };

        var response = await _server.AskAsync(request);

        response.Code.Should().Be(ResponseCode.NotAcceptable);
        response.Payload.IsEmpty.Should().BeTrue();
        _calls.Should().Be(calls);
    }

    [Theory]
    [InlineData("/reading")]
    [InlineData("/number")]
    [InlineData("/response")]
    public async Task Null_gets_4_04(string path) => (await _server.GetAsync(path)).Code.Should().Be(ResponseCode.NotFound);

    [Theory]
    [InlineData("0.02", "abc")]
    [InlineData("0.06", "3")]
    public async Task Bytes_and_streams_are_the_payload_in_any_format(string method, string expected)
    {
        var code = method == "0.02" ? RequestCode.Post : RequestCode.Patch;

        (await _server.AskAsync(code, "/text", "abc")).PayloadText.Should().Be(expected);
    }
}
