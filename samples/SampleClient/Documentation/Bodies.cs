using CoAP;

namespace SampleClient;

/// <summary>The uploads and downloads of the page "Bodies of any size".</summary>
internal static class Bodies
{
    public static async Task UploadAsync(CancellationToken cancellationToken)
    {
        await using var client = new CoapClient();

        await using var firmware = File.OpenRead("firmware.bin");
        var progress = new Progress<TransferProgress>(now => Console.WriteLine($"{now.Sent} of {now.TotalToSend} bytes"));
        var answer = await client.UploadAsync("coap://localhost/upload/pump-7", firmware, ContentFormats.OctetStream, progress, cancellationToken);
        answer.EnsureSuccess();
    }

    public static async Task DownloadAsync(CoapClient client, string uri, string path, CancellationToken cancellationToken)
    {
        const int Attempts = 5;

        await using var file = File.Create(path);
        TransferPosition? position = null;
        for (var attempt = 1; ; attempt++)
        {
            var request = new CoapRequest(RequestCode.Get, uri) { ResponseBody = BodyTarget.To(file), ResumeFrom = position };
            try
            {
                var response = await client.SendAsync(request, cancellationToken);
                response.EnsureSuccess();
                return;
            }
            catch (CoapException broken) when (attempt < Attempts && broken is not CoapResponseException)
            {
                position = broken is CoapTransferException transfer ? transfer.Position : position;
                file.SetLength(position?.Offset ?? 0);
                file.Position = file.Length;
                await Task.Delay(TimeSpan.FromSeconds(attempt), cancellationToken);
            }
        }
    }
}
