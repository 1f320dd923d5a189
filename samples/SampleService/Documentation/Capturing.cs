using CoAP;

namespace SampleService.Documentation;

internal static class Capturing
{
    public static async Task RunAsync(CancellationToken cancellationToken)
    {
        await using var capture = PcapngCapture.ToFile("capture.pcapng");
        await using var server = new CoapServer(new CoapServerSettings { Links = [capture.Link] });
        await server.RunAsync(cancellationToken);
    }

    public static PcapngCapture Small() =>
        PcapngCapture.ToFile("capture.pcapng", new PcapngCaptureSettings { MaxFileSize = 10 << 20, MaxFiles = 10 });
}
