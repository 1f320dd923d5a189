namespace CoAP.Tests.Architecture;

/// <summary>What users can see, as a text that is looked at before it changes.</summary>
public sealed class PublicSurfaceTests
{
    [Fact]
    public void The_public_surface_is_the_approved_one()
    {
        var surface = new[] { typeof(CoapMessage).Assembly, typeof(CoapClient).Assembly, typeof(DtlsSettings).Assembly }.SelectMany(SurfaceWriter.Describe).ToList();

        surface.Should().HaveCountGreaterThan(100);
        Approved.Check("tests/CoAP.NET.Tests/Architecture/PublicSurface.approved.txt", surface);
    }
}
