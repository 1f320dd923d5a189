using CoAP;
using CoAP.Options;

namespace SampleServer;

/// <summary>Names the site that a device belongs to. The option is elective: a server that does not know it ignores it.</summary>
public sealed record Site(string Value) : StringOption(Declaration, Value), IDeclaredOption
{
    public static OptionDeclaration Declaration { get; } =
        OptionDeclaration.String(65_000, "Site", minLength: 1, maxLength: 64, value => new Site(value));
}

/// <summary>The request must be handled before this many seconds have passed. The option is critical: a server must understand it.</summary>
public sealed record HandleWithin(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    public static OptionDeclaration Declaration { get; } = OptionDeclaration.UInt(65_001, "Handle-Within", maxLength: 2, value => new HandleWithin(value));
}

/// <summary>The code of the page "Your own option or format" that deals with options.</summary>
internal static class OwnOptions
{
    public static async Task ServeAsync(CancellationToken cancellationToken)
    {
        var options = OptionRegistry.Default.With(Site.Declaration, HandleWithin.Declaration);
        await using var server = new CoapServer(new CoapServerSettings { Options = options });
        server.Resources.At("readings").Post(request =>
        {
            var site = request.Options.Get<Site>()?.Value ?? "unknown";
            Console.WriteLine($"Site {site}: {request.PayloadText}");
            return Response.Changed;
        });
        await server.RunAsync(cancellationToken);
    }

    public static async Task SendAsync(CoapClient client, CancellationToken cancellationToken)
    {
        var request = new CoapRequest(RequestCode.Post, "coap://localhost/readings")
        {
            Options = [new Site("north"), new HandleWithin(30)],
            Payload = "21.5"u8.ToArray(),
        };
        var response = await client.SendAsync(request, cancellationToken);
        response.EnsureSuccess();
    }
}
