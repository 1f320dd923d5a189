using CoAP.Blockwise;
using CoAP.Exchanges;

namespace CoAP.Robust;

/// <summary>Reports how much of the bodies of a call has arrived.</summary>
/// <param name="call">The call.</param>
/// <param name="size">The block size of the request.</param>
internal sealed class RobustProgress(ClientCall call, BlockSize size)
{
    private long _accepted;

    /// <summary>Reports the progress since the last time. Bytes that are sent again are not progress.</summary>
    public void Report(RobustUploadClient? upload, RobustDownloadClient? download)
    {
        var accepted = (download?.Received ?? 0) + ((upload?.BlocksSent ?? 0L) * size.Bytes);
        if (accepted > _accepted)
        {
            call.Accept(accepted - _accepted);
            _accepted = accepted;
        }
        var total = call.Request.Payload.Length;
        var sent = upload is null || download is not null ? total : Math.Min((long)upload.BlocksSent * size.Bytes, total);
        call.Work?.Report(new TransferProgress(sent, download?.Received ?? 0, total, download?.Total));
    }
}
