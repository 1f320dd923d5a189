using CoAP.Options;

namespace CoAP;

/// <summary>Transfers bodies of any size between streams and resources (RFC 7959).</summary>
public static class BodyTransferExtensions
{
    /// <summary>Retrieves a representation (GET) and writes it to a stream while its blocks arrive.</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The resource: an absolute URI, or for a channel a path.</param>
    /// <param name="destination">The stream, written from its current position. Only the body of a successful response is written.</param>
    /// <param name="progress">Called with the progress of the transfer.</param>
    /// <param name="cancellationToken">Ends the transfer.</param>
    /// <returns>The response without its body.</returns>
    /// <exception cref="CoapTransferException">The transfer failed. It can resume at <see cref="CoapTransferException.Position"/>.</exception>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static ValueTask<CoapResponse> DownloadAsync(
        this IRequestSender sender, string uri, Stream destination, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) => sender.SendAsync(ComposeDownload(uri, destination, progress), cancellationToken);

    /// <summary>Retrieves a representation (GET) and writes it to a stream. Blocks the calling thread, which writes to the stream.</summary>
    /// <inheritdoc cref="DownloadAsync" path="/param|/returns|/exception"/>
    public static CoapResponse Download(
        this IRequestSender sender, string uri, Stream destination, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) => sender.Send(ComposeDownload(uri, destination, progress), cancellationToken);

    /// <summary>Creates or replaces the resource with the content of a stream (PUT), which is read while it is sent.</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The resource: an absolute URI, or for a channel a path.</param>
    /// <param name="source">The stream, read from its current position to its end.</param>
    /// <param name="contentFormat">The format of the body, see <see cref="ContentFormats"/>.</param>
    /// <param name="progress">Called with the progress of the transfer.</param>
    /// <param name="cancellationToken">Ends the transfer.</param>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static ValueTask<CoapResponse> UploadAsync(
        this IRequestSender sender, string uri, Stream source, uint? contentFormat = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) => sender.SendAsync(ComposeUpload(uri, source, contentFormat, progress), cancellationToken);

    /// <summary>Creates or replaces the resource with the content of a stream (PUT). Blocks the calling thread, which reads from the stream.</summary>
    /// <inheritdoc cref="UploadAsync" path="/param|/exception"/>
    public static CoapResponse Upload(
        this IRequestSender sender, string uri, Stream source, uint? contentFormat = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) => sender.Send(ComposeUpload(uri, source, contentFormat, progress), cancellationToken);

    private static CoapRequest ComposeDownload(string uri, Stream destination, IProgress<TransferProgress>? progress) =>
        new(RequestCode.Get, uri) { ResponseBody = BodyTarget.To(destination, nameof(destination)), Progress = progress };

    private static CoapRequest ComposeUpload(string uri, Stream source, uint? contentFormat, IProgress<TransferProgress>? progress) =>
        new(RequestCode.Put, uri)
        {
            Body = BodySource.From(source, length: null, nameof(source)),
            Options = contentFormat is { } format ? [new ContentFormat(format)] : [],
            Progress = progress,
        };
}
