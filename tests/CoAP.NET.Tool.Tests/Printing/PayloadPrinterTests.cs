using System.Text;
using CoAP.Tool.Printing;
using CoAP.Tool.Running;

namespace CoAP.Tool.Tests.Printing;

public sealed class PayloadPrinterTests
{
    [Fact]
    public void Indents_JSON() =>
        Print(ContentFormats.Json, """{"on":true,"levels":[1,2.50],"none":{},"name":"a\"b"}""")
            .Should().Be("{\n  \"on\": true,\n  \"levels\": [\n    1,\n    2.50\n  ],\n  \"none\": {},\n  \"name\": \"a\\\"b\"\n}\n");

    [Theory]
    [InlineData("""{"a":"\ud800"}""")]
    [InlineData("""{"\ud800":1}""")]
    public void JSON_with_half_a_character_is_printed_as_text(string payload) => Print(ContentFormats.Json, payload).Should().Be(payload + "\n");

    [Fact]
    public void Prints_malformed_JSON_as_text() => Print(ContentFormats.Json, "{\"on\":").Should().Be("{\"on\":\n");

    [Fact]
    public void Prints_links_as_a_table() =>
        Print(ContentFormats.LinkFormat, "</sensors/1>;rt=\"temperature\";ct=50;obs;title=\"First\"").Should()
            .Contain("/sensors/1").And.Contain("temperature").And.Contain(" json ").And.Contain("yes").And.Contain("First");

    [Fact]
    public void Prints_SenML_with_resolved_names() =>
        Print(ContentFormats.SenmlJson, """[{"bn":"urn:dev:1:","n":"temp","u":"Cel","v":21.5},{"n":"hum","u":"%RH","v":40}]""").Should()
            .Contain("urn:dev:1:temp").And.Contain("21.5").And.Contain("urn:dev:1:hum").And.Contain("%RH");

    [Fact]
    public void Prints_a_time_after_year_9999_in_seconds() =>
        Print(ContentFormats.SenmlJson, """[{"n":"a","v":1,"t":1e12}]""").Should().Contain("1000000000000 s since 1970");

    [Fact]
    public void Prints_CBOR_in_diagnostic_notation()
    {
        var (printer, output) = Create();

        printer.Print(ContentFormats.Cbor, Convert.FromHexString("a1616101"));

        output.ToString().Should().Be("{\"a\": 1}\n");
    }

    [Fact]
    public void Prints_bytes_in_hexadecimal()
    {
        var (printer, output) = Create();

        printer.Print(ContentFormats.OctetStream, new byte[] { 0x00, 0xFF, 0x41 });

        output.ToString().Should().StartWith("000000  00 ff 41 ").And.EndWith("..A\n");
    }

    [Theory]
    [InlineData("\u001b[2Jx", "\\u001b[2Jx\n")]
    [InlineData("\u202egnp.exe", "\\u202egnp.exe\n")]
    [InlineData("[red]a[/]", "[red]a[/]\n")]
    [InlineData("safe\rEVIL", "safe\\u000dEVIL\n")]
    [InlineData("a\r\nb", "a\nb\n")]
    [InlineData("a\tb\nc", "a\tb\nc\n")]
    public void A_peer_cannot_control_the_terminal(string payload, string expected) => Print(ContentFormats.TextPlain, payload).Should().Be(expected);

    [Fact]
    public void A_string_in_JSON_cannot_control_the_terminal() => Print(ContentFormats.Json, "\"\\u001b[2J\u009b\"").Should().NotContainAny("\u001b", "\u009b");

    private static string Print(uint format, string payload)
    {
        var (printer, output) = Create();
        printer.Print(format, Encoding.UTF8.GetBytes(payload));
        return output.ToString();
    }

    private static (PayloadPrinter Printer, StringWriter Output) Create()
    {
        var output = new StringWriter { NewLine = "\n" };
        return (new PayloadPrinter(new Terminal(output, TextWriter.Null, Stream.Null, Stream.Null).Console), output);
    }
}
