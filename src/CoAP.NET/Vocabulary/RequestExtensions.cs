using CoAP.Options;

namespace CoAP;

/// <summary>Sends requests: one async and one blocking method for each request method of CoAP, with bytes or with values.</summary>
/// <remarks>
/// The formats of the sender convert values (<see cref="CoapEndpointSettings.Formats"/>). A method that returns a value throws for an error response; one
/// that returns a <see cref="CoapResponse"/> does not.
/// </remarks>
public static partial class RequestExtensions
{
    /// <summary>Retrieves a representation (0.01, RFC 7252, section 5.8.1).</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The URI of the resource: an absolute URI, or a path if the sender is a channel.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static ValueTask<CoapResponse> GetAsync(this IRequestSender sender, string uri, CancellationToken cancellationToken = default) =>
        sender.SendAsync(new CoapRequest(RequestCode.Get, uri), cancellationToken);

    /// <summary>Retrieves a representation (0.01, RFC 7252, section 5.8.1). Blocks the calling thread.</summary>
    /// <inheritdoc cref="GetAsync" path="/param|/exception"/>
    public static CoapResponse Get(this IRequestSender sender, string uri, CancellationToken cancellationToken = default) =>
        sender.Send(new CoapRequest(RequestCode.Get, uri), cancellationToken);

    /// <summary>Removes the resource (0.04, RFC 7252, section 5.8.4).</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The URI of the resource: an absolute URI, or a path if the sender is a channel.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static ValueTask<CoapResponse> DeleteAsync(this IRequestSender sender, string uri, CancellationToken cancellationToken = default) =>
        sender.SendAsync(new CoapRequest(RequestCode.Delete, uri), cancellationToken);

    /// <summary>Removes the resource (0.04, RFC 7252, section 5.8.4). Blocks the calling thread.</summary>
    /// <inheritdoc cref="DeleteAsync" path="/param|/exception"/>
    public static CoapResponse Delete(this IRequestSender sender, string uri, CancellationToken cancellationToken = default) =>
        sender.Send(new CoapRequest(RequestCode.Delete, uri), cancellationToken);

    /// <summary>Asks the resource to process a representation (0.02, RFC 7252, section 5.8.2).</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The URI of the resource: an absolute URI, or a path if the sender is a channel.</param>
    /// <param name="payload">The body. It is not copied; do not change it before the call completes.</param>
    /// <param name="contentFormat">The format of the body; see <see cref="ContentFormats"/>.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static ValueTask<CoapResponse> PostAsync(
        this IRequestSender sender, string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        sender.SendAsync(Compose(RequestCode.Post, uri, payload, contentFormat), cancellationToken);

    /// <summary>Asks the resource to process a representation (0.02, RFC 7252, section 5.8.2). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PostAsync" path="/param|/exception"/>
    public static CoapResponse Post(
        this IRequestSender sender, string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        sender.Send(Compose(RequestCode.Post, uri, payload, contentFormat), cancellationToken);

    /// <summary>Creates or replaces the resource (0.03, RFC 7252, section 5.8.3).</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The URI of the resource: an absolute URI, or a path if the sender is a channel.</param>
    /// <param name="payload">The body. It is not copied; do not change it before the call completes.</param>
    /// <param name="contentFormat">The format of the body; see <see cref="ContentFormats"/>.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static ValueTask<CoapResponse> PutAsync(
        this IRequestSender sender, string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        sender.SendAsync(Compose(RequestCode.Put, uri, payload, contentFormat), cancellationToken);

    /// <summary>Creates or replaces the resource (0.03, RFC 7252, section 5.8.3). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PutAsync" path="/param|/exception"/>
    public static CoapResponse Put(
        this IRequestSender sender, string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        sender.Send(Compose(RequestCode.Put, uri, payload, contentFormat), cancellationToken);

    /// <summary>Retrieves the parts of the resource that the body selects (0.05, RFC 8132, section 2).</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The URI of the resource: an absolute URI, or a path if the sender is a channel.</param>
    /// <param name="payload">The body. It is not copied; do not change it before the call completes.</param>
    /// <param name="contentFormat">The format of the body; see <see cref="ContentFormats"/>. A FETCH must have it (RFC 8132, section 2.3.1).</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static ValueTask<CoapResponse> FetchAsync(
        this IRequestSender sender, string uri, ReadOnlyMemory<byte> payload, uint contentFormat, CancellationToken cancellationToken = default) =>
        sender.SendAsync(Compose(RequestCode.Fetch, uri, payload, contentFormat), cancellationToken);

    /// <summary>Retrieves the parts of the resource that the body selects (0.05, RFC 8132, section 2). Blocks the calling thread.</summary>
    /// <inheritdoc cref="FetchAsync" path="/param|/exception"/>
    public static CoapResponse Fetch(
        this IRequestSender sender, string uri, ReadOnlyMemory<byte> payload, uint contentFormat, CancellationToken cancellationToken = default) =>
        sender.Send(Compose(RequestCode.Fetch, uri, payload, contentFormat), cancellationToken);

    /// <summary>Changes a part of the resource (0.06, RFC 8132, section 3).</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The URI of the resource: an absolute URI, or a path if the sender is a channel.</param>
    /// <param name="payload">The body. It is not copied; do not change it before the call completes.</param>
    /// <param name="contentFormat">The format of the body; see <see cref="ContentFormats"/>.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static ValueTask<CoapResponse> PatchAsync(
        this IRequestSender sender, string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        sender.SendAsync(Compose(RequestCode.Patch, uri, payload, contentFormat), cancellationToken);

    /// <summary>Changes a part of the resource (0.06, RFC 8132, section 3). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PatchAsync" path="/param|/exception"/>
    public static CoapResponse Patch(
        this IRequestSender sender, string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        sender.Send(Compose(RequestCode.Patch, uri, payload, contentFormat), cancellationToken);

    /// <summary>Changes a part of the resource; repeating the request has no further effect (0.07, RFC 8132, section 3).</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The URI of the resource: an absolute URI, or a path if the sender is a channel.</param>
    /// <param name="payload">The body. It is not copied; do not change it before the call completes.</param>
    /// <param name="contentFormat">The format of the body; see <see cref="ContentFormats"/>.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static ValueTask<CoapResponse> IPatchAsync(
        this IRequestSender sender, string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        sender.SendAsync(Compose(RequestCode.IPatch, uri, payload, contentFormat), cancellationToken);

    /// <summary>Changes a part of the resource; repeating the request has no further effect (0.07, RFC 8132, section 3). Blocks the calling thread.</summary>
    /// <inheritdoc cref="IPatchAsync" path="/param|/exception"/>
    public static CoapResponse IPatch(
        this IRequestSender sender, string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        sender.Send(Compose(RequestCode.IPatch, uri, payload, contentFormat), cancellationToken);

    private static CoapRequest Compose(CoapCode method, string uri, ReadOnlyMemory<byte> payload, uint? contentFormat) => new(method, uri)
    {
        Payload = payload,
        Options = contentFormat is { } format ? [new ContentFormat(format)] : [],
    };
}
