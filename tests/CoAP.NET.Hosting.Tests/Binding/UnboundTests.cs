using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting.Tests.Binding;

/// <summary>Mistakes that show when a handler is mapped.</summary>
public sealed class UnboundTests
{
    [Fact]
    public void A_call_that_the_generator_has_not_seen_says_so()
    {
        var map = new CoapServer().Resources;
        var method = typeof(CoapHandlerMapExtensions).GetMethod("MapCoapGet")!.CreateDelegate<Func<ResourceMap, string, Delegate, Resource>>();

        var call = () => method(map, "/x", () => "text");

        call.Should().Throw<InvalidOperationException>().WithMessage("*has not seen the call MapCoapGet(\"/x\", ...)*InterceptorsNamespaces*");
    }

    [Fact]
    public void A_host_without_a_server_says_what_to_call()
    {
        using var host = Host.CreateEmptyApplicationBuilder(null).Build();

        var call = () => host.MapCoapGet("/x", () => "text");

        call.Should().Throw<InvalidOperationException>().WithMessage("*no CoapServer*AddCoapServer*");
    }

    [Fact]
    public void A_template_that_is_computed_is_checked_when_it_is_mapped()
    {
        var map = new CoapServer().Resources;
        var name = Environment.NewLine.Length > 0 ? "other" : "id";

        var call = () => map.MapCoapGet($"/x/{{{name}}}", ([FromRoute] int id) => id);

        call.Should().Throw<InvalidOperationException>().WithMessage("'/x/{other}' has no placeholder 'id', but the handler reads it with [FromRoute]*");
    }

    [Fact]
    public void A_second_handler_of_a_method_is_refused()
    {
        var map = new CoapServer().Resources;
        map.MapCoapGet("/x", () => "text").Observable().WithLink(rt: "temperature");

        var call = () => map.MapCoapGet("/x", () => "text");

        call.Should().Throw<InvalidOperationException>().WithMessage("*already has a handler*");
    }
}
