using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Tests.Binding;

/// <summary>What the generator reports when a project is compiled.</summary>
public sealed class HandlerDiagnosticsTests
{
    private const string Types = """
        private sealed class Hidden; internal sealed class Shown; internal sealed class Other; internal static void Put<T>(ResourceMap map) =>
        map.MapCoapPut("/x", (T value) => "");
        """;

    [Theory]
    [InlineData("""Delegate handler = () => ""; map.MapCoapGet("/x", handler);""", "COAP101", "The handler of MapCoapGet must be a lambda expression or a method*")]
    [InlineData("""map.MapCoapGet("/a?b=c", () => "");""", "COAP102", "Template '/a?b=c' cannot be mapped: segment 'a?b=c' contains a '?', but a template has no query*")]
    [InlineData("""map.MapCoapGet("/{id", () => "");""", "COAP102", "Template '/{id' cannot be mapped: segment '{id' mixes text and braces, or lacks a brace*")]
    [InlineData("""map.MapCoapGet("/{id:number}", () => "");""", "COAP102", "*'number' of placeholder 'id' is not a constraint; the constraints are range, min, *")]
    [InlineData("""map.MapCoapGet("/{id}/{id}", () => "");""", "COAP102", "*placeholder 'id' occurs twice")]
    [InlineData("""map.MapCoapGet("/{*id}/x", () => "");""", "COAP102", "*wildcard '{*id}' is not the last segment")]
    [InlineData("""map.MapCoapGet("/{}", () => "");""", "COAP102", "*a placeholder has no name")]
    [InlineData("""map.MapCoapGet("coap://h/x", () => "");""", "COAP102", "*it is a URI; *")]
    [InlineData("""map.MapCoapGet("/x", ([FromRoute] int id) => id);""", "COAP103", "Parameter 'id' has [[]FromRoute], but template '/x' has no placeholder 'id'")]
    [InlineData("""map.MapCoapGet("/x", (ref int id) => id);""", "COAP104", "Parameter 'id' is passed by ref. Remove*")]
    [InlineData("""map.MapCoapGet("/x", (out int id) => id = 1);""", "COAP104", "Parameter 'id' is passed by out. Remove*")]
    [InlineData("""map.MapCoapPut("/x", (Hidden value) => "");""", "COAP105", "Program.Hidden is private or protected, so generated code cannot name it*")]
    [InlineData("""map.MapCoapGet("/x", () => new { Id = 1 });""", "COAP105", "*is an anonymous type*")]
    [InlineData("""map.MapCoapPut("/x", ([FromPayload] Shown value, byte[] bytes) => "");""", "COAP107", "Parameters 'value' and 'bytes' both read the payload*")]
    [InlineData("""map.MapCoapGet("/x", (byte[] bytes) => "");""", "COAP108", "Parameter 'bytes' reads the payload, but a GET request has none (RFC 7252, section 5.5)")]
    [InlineData("""map.MapCoapDelete("/x", ([FromPayload] Shown value) => "");""", "COAP108", "*'value'*DELETE*")]
    [InlineData("""map.MapCoapGet("/x", () => { });""", "COAP109", "A handler for GET must return a value or a CoapResponse; this one returns void")]
    [InlineData("""map.MapCoapFetch("/x", () => Task.CompletedTask);""", "COAP109", "*FETCH*returns Task")]
    [InlineData("""map.MapCoapGet("/{id}", (Shown id) => "");""", "COAP110", "Parameter 'id' cannot be read from the path or the query: Program.Shown is neither a string*")]
    [InlineData("""map.MapCoapGet("/x", ([FromQuery] List<int> id) => "");""", "COAP110", "Parameter 'id' cannot be read*List<int>*")]
    [InlineData("""map.MapCoapPut("/x", (object value) => "");""", "COAP110", "Parameter 'value' has the type object*")]
    [InlineData("""map.MapCoapPut("/x", (CoapOption option) => "");""", "COAP110", "*CoAP.Options.CoapOption, which has no static declaration*")]
    [InlineData("""map.MapCoapGet("/x", object () => "");""", "COAP111", "A handler cannot return object: no format is known for it*")]
    [InlineData("""map.MapCoapGet("/x", () => new MemoryStream());""", "COAP111", "*return Response.Content(stream, contentFormat)")]
    [InlineData("""map.MapCoapPut("/x", async void () => await Task.Yield());""", "COAP111", "*async void*return a Task")]
    public void A_handler_that_cannot_be_bound_is_an_error(string call, string id, string message)
    {
        var found = GeneratorRun.Diagnose(GeneratorRun.Method(call, Types)).Where(one => one.Id != "COAP106").ToArray();

        found.Should().ContainSingle();
        found[0].Id.Should().Be(id);
        found[0].GetMessage(System.Globalization.CultureInfo.InvariantCulture).Should().Match(message.Replace("[[]", "[", StringComparison.Ordinal));
        found[0].Location.GetLineSpan().Path.Should().Be("Source0.cs");
    }

    [Fact]
    public void A_type_parameter_is_an_error()
    {
        var found = GeneratorRun.Diagnose(GeneratorRun.Method("", Types));

        found.Should().ContainSingle().Which.Id.Should().Be("COAP106");
    }

    [Theory]
    [InlineData("""host.MapCoapGet("/{id:int}/{name}", (int id) => "");""")]
    [InlineData("""CoapHandlerMapExtensions.MapCoapGet(map, "/x", () => 1);""")]
    [InlineData("""group.MapCoapPost("{id}", ([FromRoute] int parent, int id, Other value, Shown service) => Task.CompletedTask);""")]
    [InlineData("""Func<int, string> handler = id => ""; map.MapCoapGet("/x", handler.Invoke);""")]
    [InlineData("""map.MapCoapGet("/x", (Func<int, string>)(id => ""));""")]
    [InlineData("""map.MapCoapGet("/" + DateTime.Now.Year, ([FromRoute] int id) => id);""")]
    [InlineData("""map.MapCoapGet("/x", (string text = "a\"b", double d = double.NaN, long l = long.MinValue, char c = 'x', DayOfWeek? w = DayOfWeek.Friday, decimal m = 1.5m, byte b = 3, Guid g = default) => "");""")]
    [InlineData("""map.MapCoapGet("/x", (params int[] ids) => "");""")]
    [InlineData("""map.MapCoapGet("/x", async (int? a, int? b = 3, string? c = null) => { await Task.Yield(); return new[] { 1 }; });""")]
    [InlineData("""int Local(int id) => id; map.MapCoapGet("/x", Local);""")]
    [InlineData("""map.MapCoapGet("/x", (int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n, int o, int p, int q) => "");""")]
    [InlineData("""map.MapCoapGet("/x", async ValueTask<(int Count, string Name)> (IReadOnlyList<ETag> tags, Accept? accept) => { await Task.Yield(); return (1, ""); });""")]
    public void Other_handlers_compile_without_a_warning(string call) =>
        GeneratorRun.Diagnose(GeneratorRun.Method(call, Types.Split("internal static void", 2)[0])).Select(one => one.ToString()).Should().BeEmpty();
}
