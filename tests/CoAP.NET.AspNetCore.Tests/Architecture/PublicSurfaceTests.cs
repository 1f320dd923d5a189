using CoAP.Tests.Architecture;
using Microsoft.AspNetCore.Builder;

namespace CoAP.AspNetCore.Tests.Architecture;

/// <summary>The public surface of this package, as a text that is reviewed before it changes.</summary>
public sealed class PublicSurfaceTests
{
    [Fact]
    public void The_public_surface_is_the_approved_one()
    {
        var surface = SurfaceWriter.Describe(typeof(CoapEndpointRouteBuilderExtensions).Assembly).ToList();

        surface.Should().Contain(line => line.Contains("MapCoap"));
        Approved.Check("tests/CoAP.NET.AspNetCore.Tests/Architecture/PublicSurface.approved.txt", surface);
    }
}
