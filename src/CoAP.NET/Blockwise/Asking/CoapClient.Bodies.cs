using CoAP.Options;

namespace CoAP;

/// <content>Bodies from and to streams, of any size (RFC 7959).</content>
public sealed partial class CoapClient
{
    /// <summary>Retrieves a representation into a stream, while it comes.</summary>
    /// <param name="uri">The resource.</param>
    /// <param name="destination">Is written from where it stands; only a successful response is.</param>
    /// <param name="progress">Is told how far it has come.</param>
    /// <param name="cancellationToken">Ends the transfer.</param>
    /// <returns>The response without its body.</returns>
    /// <exception cref="CoapTransferException">It broke off in the middle; <see cref="CoapTransferException.Position"/> says where it can go on.</exception>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<CoapResponse> DownloadAsync(
        string uri, Stream destination, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default) =>
        SendAsync(ComposeDownload(uri, destination, progress), cancellationToken);

    /// <summary>Retrieves a representation into a stream, while it comes. Blocks the calling thread, which does the writing.</summary>
    /// <inheritdoc cref="DownloadAsync"/>
    public CoapResponse Download(
        string uri, Stream destination, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default) =>
        Send(ComposeDownload(uri, destination, progress), cancellationToken);

    /// <summary>Creates or replaces the resource by what a stream holds (PUT), reading it while it is sent.</summary>
    /// <param name="uri">The resource.</param>
    /// <param name="source">Is read from where it stands to its end.</param>
    /// <param name="contentFormat">What the body is; see <see cref="ContentFormats"/>.</param>
    /// <param name="progress">Is told how far it has come.</param>
    /// <param name="cancellationToken">Ends the transfer.</param>
    /// <exception cref="CoapTransferException">It broke off in the middle.</exception>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<CoapResponse> UploadAsync(
        string uri, Stream source, uint? contentFormat = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) => SendAsync(ComposeUpload(uri, source, contentFormat, progress), cancellationToken);

    /// <summary>Creates or replaces the resource by what a stream holds (PUT). Blocks the calling thread, which does the reading.</summary>
    /// <inheritdoc cref="UploadAsync"/>
    public CoapResponse Upload(
        string uri, Stream source, uint? contentFormat = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) => Send(ComposeUpload(uri, source, contentFormat, progress), cancellationToken);

    private static CoapRequest ComposeDownload(string uri, Stream destination, IProgress<TransferProgress>? progress) =>
        new(RequestCode.Get, uri) { ResponseBody = BodyTarget.To(destination), Progress = progress };

    private static CoapRequest ComposeUpload(string uri, Stream source, uint? contentFormat, IProgress<TransferProgress>? progress) =>
        new(RequestCode.Put, uri)
        {
            Body = BodySource.From(source),
            Options = contentFormat is { } format ? [new ContentFormat(format)] : [],
            Progress = progress,
        };
}
