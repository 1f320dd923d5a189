using CoAP.Options;

namespace CoAP;

/// <content>A pair of calls for each method.</content>
public sealed partial class CoapClient
{
    /// <summary>Retrieves a representation (0.01, RFC 7252, section 5.8.1).</summary>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<CoapResponse> GetAsync(string uri, CancellationToken cancellationToken = default) =>
        SendAsync(new CoapRequest(RequestCode.Get, uri), cancellationToken);

    /// <summary>Retrieves a representation (0.01, RFC 7252, section 5.8.1). Blocks the calling thread.</summary>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public CoapResponse Get(string uri, CancellationToken cancellationToken = default) =>
        Send(new CoapRequest(RequestCode.Get, uri), cancellationToken);

    /// <summary>Removes the resource (0.04, RFC 7252, section 5.8.4).</summary>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<CoapResponse> DeleteAsync(string uri, CancellationToken cancellationToken = default) =>
        SendAsync(new CoapRequest(RequestCode.Delete, uri), cancellationToken);

    /// <summary>Removes the resource (0.04, RFC 7252, section 5.8.4). Blocks the calling thread.</summary>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public CoapResponse Delete(string uri, CancellationToken cancellationToken = default) =>
        Send(new CoapRequest(RequestCode.Delete, uri), cancellationToken);

    /// <summary>Has the enclosed representation processed (0.02, RFC 7252, section 5.8.2).</summary>
    /// <param name="uri">The resource.</param>
    /// <param name="payload">The body; not copied.</param>
    /// <param name="contentFormat">What the body is; see <see cref="ContentFormats"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<CoapResponse> PostAsync(
        string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        SendAsync(Compose(RequestCode.Post, uri, payload, contentFormat), cancellationToken);

    /// <summary>Has the enclosed representation processed (0.02, RFC 7252, section 5.8.2). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PostAsync" path="/param"/>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public CoapResponse Post(
        string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        Send(Compose(RequestCode.Post, uri, payload, contentFormat), cancellationToken);

    /// <summary>Creates or replaces the resource (0.03, RFC 7252, section 5.8.3).</summary>
    /// <param name="uri">The resource.</param>
    /// <param name="payload">The body; not copied.</param>
    /// <param name="contentFormat">What the body is; see <see cref="ContentFormats"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<CoapResponse> PutAsync(
        string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        SendAsync(Compose(RequestCode.Put, uri, payload, contentFormat), cancellationToken);

    /// <summary>Creates or replaces the resource (0.03, RFC 7252, section 5.8.3). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PutAsync" path="/param"/>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public CoapResponse Put(
        string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        Send(Compose(RequestCode.Put, uri, payload, contentFormat), cancellationToken);

    /// <summary>Retrieves what the enclosed body selects (0.05, RFC 8132, section 2).</summary>
    /// <param name="uri">The resource.</param>
    /// <param name="payload">The body; not copied.</param>
    /// <param name="contentFormat">What the body is; see <see cref="ContentFormats"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<CoapResponse> FetchAsync(
        string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        SendAsync(Compose(RequestCode.Fetch, uri, payload, contentFormat), cancellationToken);

    /// <summary>Retrieves what the enclosed body selects (0.05, RFC 8132, section 2). Blocks the calling thread.</summary>
    /// <inheritdoc cref="FetchAsync" path="/param"/>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public CoapResponse Fetch(
        string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        Send(Compose(RequestCode.Fetch, uri, payload, contentFormat), cancellationToken);

    /// <summary>Changes a part of the resource (0.06, RFC 8132, section 3).</summary>
    /// <param name="uri">The resource.</param>
    /// <param name="payload">The body; not copied.</param>
    /// <param name="contentFormat">What the body is; see <see cref="ContentFormats"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<CoapResponse> PatchAsync(
        string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        SendAsync(Compose(RequestCode.Patch, uri, payload, contentFormat), cancellationToken);

    /// <summary>Changes a part of the resource (0.06, RFC 8132, section 3). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PatchAsync" path="/param"/>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public CoapResponse Patch(
        string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        Send(Compose(RequestCode.Patch, uri, payload, contentFormat), cancellationToken);

    /// <summary>Changes a part of the resource, with the same outcome however often it is done (0.07, RFC 8132, section 3).</summary>
    /// <param name="uri">The resource.</param>
    /// <param name="payload">The body; not copied.</param>
    /// <param name="contentFormat">What the body is; see <see cref="ContentFormats"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<CoapResponse> IPatchAsync(
        string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        SendAsync(Compose(RequestCode.IPatch, uri, payload, contentFormat), cancellationToken);

    /// <summary>Changes a part of the resource, with the same outcome however often it is done (0.07, RFC 8132, section 3). Blocks the calling thread.</summary>
    /// <inheritdoc cref="IPatchAsync" path="/param"/>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public CoapResponse IPatch(
        string uri, ReadOnlyMemory<byte> payload, uint? contentFormat = null, CancellationToken cancellationToken = default) =>
        Send(Compose(RequestCode.IPatch, uri, payload, contentFormat), cancellationToken);

    private static CoapRequest Compose(CoapCode method, string uri, ReadOnlyMemory<byte> payload, uint? contentFormat) => new(method, uri)
    {
        Payload = payload,
        Options = contentFormat is { } format ? [new ContentFormat(format)] : [],
    };
}
