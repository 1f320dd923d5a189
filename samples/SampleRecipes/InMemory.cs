using CoAP;
using CoAP.Testing;
using Xunit;

namespace SampleRecipes;

/// <summary>The recipe of a test without sockets, in simulated time.</summary>
internal static class InMemory
{
    public static void Test()
    {
        var network = new SimulatedNetwork();
        using var server = new CoapServer(network.Place(new CoapServerSettings(), "device"));
        server.Resources.At("hello").Get(_ => Response.Content("Hello, CoAP!"));
        server.Start();
        using var client = new CoapClient(network.Place(new CoapClientSettings()));
        Assert.Equal("Hello, CoAP!", client.Get("coap://device/hello").PayloadText);
    }
}
