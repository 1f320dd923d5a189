using System.Runtime.CompilerServices;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP;

// Typed methods: the formats of the sender convert the values. They are in the same class as the methods with bytes because the priority of overloads
// counts within one class only: an array of bytes and a Content-Format must select the method with bytes.
public static partial class RequestExtensions
{
    /// <summary>Retrieves a value (0.01, RFC 7252, section 5.8.1).</summary>
    /// <typeparam name="T">A type that a format of the sender handles. The request accepts the preferred one (RFC 7252, section 5.10.4).</typeparam>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The URI of the resource: an absolute URI, or a path if the sender is a channel.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <exception cref="CoapResponseException">The peer answered with an error.</exception>
    /// <exception cref="CoapPayloadException">The payload of the response is not a <typeparamref name="T"/>.</exception>
    /// <exception cref="NotSupportedException">No format of the sender handles the type.</exception>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static ValueTask<T> GetAsync<T>(this IRequestSender sender, string uri, CancellationToken cancellationToken = default) =>
        FetchValueAsync<T>(sender, Asking<T>(sender, RequestCode.Get, uri), cancellationToken);

    /// <summary>Retrieves a value (0.01, RFC 7252, section 5.8.1). Blocks the calling thread.</summary>
    /// <inheritdoc cref="GetAsync" path="/typeparam|/param|/exception"/>
    public static T Get<T>(this IRequestSender sender, string uri, CancellationToken cancellationToken = default) =>
        sender.Send(Asking<T>(sender, RequestCode.Get, uri), cancellationToken).EnsureSuccess().Read<T>(sender.Formats);

    /// <summary>Asks the resource to process a value (0.02, RFC 7252, section 5.8.2).</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The URI of the resource: an absolute URI, or a path if the sender is a channel.</param>
    /// <param name="value">The value.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <exception cref="NotSupportedException">No format of the sender handles the type.</exception>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    [OverloadResolutionPriority(-1)]
    public static ValueTask<CoapResponse> PostAsync<T>(
        this IRequestSender sender, string uri, T value, CancellationToken cancellationToken = default) =>
        sender.SendAsync(sender.Compose(RequestCode.Post, uri, value), cancellationToken);

    /// <summary>Asks the resource to process a value (0.02, RFC 7252, section 5.8.2). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PostAsync{T}" path="/param|/exception"/>
    [OverloadResolutionPriority(-1)]
    public static CoapResponse Post<T>(
        this IRequestSender sender, string uri, T value, CancellationToken cancellationToken = default) =>
        sender.Send(sender.Compose(RequestCode.Post, uri, value), cancellationToken);

    /// <summary>Asks the resource to process a value and returns the value in the response (0.02, RFC 7252, section 5.8.2).</summary>
    /// <typeparam name="TValue">The type of the value that is sent.</typeparam>
    /// <typeparam name="TResult">The type of the value that is returned. The request accepts the preferred format for it.</typeparam>
    /// <inheritdoc cref="PostAsync{T}" path="/param|/exception"/>
    /// <exception cref="CoapResponseException">The peer answered with an error.</exception>
    /// <exception cref="CoapPayloadException">The payload of the response is not a <typeparamref name="TResult"/>.</exception>
    public static ValueTask<TResult> PostAsync<TValue, TResult>(
        this IRequestSender sender, string uri, TValue value, CancellationToken cancellationToken = default) =>
        FetchValueAsync<TResult>(sender, Exchanging<TValue, TResult>(sender, RequestCode.Post, uri, value), cancellationToken);

    /// <summary>Asks the resource to process a value and returns the value in the response (0.02, RFC 7252, section 5.8.2). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PostAsync{TValue, TResult}" path="/typeparam|/param|/exception"/>
    public static TResult Post<TValue, TResult>(
        this IRequestSender sender, string uri, TValue value, CancellationToken cancellationToken = default) =>
        sender.Send(Exchanging<TValue, TResult>(sender, RequestCode.Post, uri, value), cancellationToken).EnsureSuccess().Read<TResult>(sender.Formats);

    /// <summary>Creates or replaces the resource (0.03, RFC 7252, section 5.8.3).</summary>
    /// <inheritdoc cref="PostAsync{T}" path="/param|/exception"/>
    [OverloadResolutionPriority(-1)]
    public static ValueTask<CoapResponse> PutAsync<T>(
        this IRequestSender sender, string uri, T value, CancellationToken cancellationToken = default) =>
        sender.SendAsync(sender.Compose(RequestCode.Put, uri, value), cancellationToken);

    /// <summary>Creates or replaces the resource (0.03, RFC 7252, section 5.8.3). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PostAsync{T}" path="/param|/exception"/>
    [OverloadResolutionPriority(-1)]
    public static CoapResponse Put<T>(
        this IRequestSender sender, string uri, T value, CancellationToken cancellationToken = default) =>
        sender.Send(sender.Compose(RequestCode.Put, uri, value), cancellationToken);

    /// <summary>Retrieves the parts of the resource that a value selects (0.05, RFC 8132, section 2).</summary>
    /// <inheritdoc cref="PostAsync{TValue, TResult}" path="/typeparam|/param|/exception"/>
    public static ValueTask<TResult> FetchAsync<TValue, TResult>(
        this IRequestSender sender, string uri, TValue value, CancellationToken cancellationToken = default) =>
        FetchValueAsync<TResult>(sender, Exchanging<TValue, TResult>(sender, RequestCode.Fetch, uri, value), cancellationToken);

    /// <summary>Retrieves the parts of the resource that a value selects (0.05, RFC 8132, section 2). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PostAsync{TValue, TResult}" path="/typeparam|/param|/exception"/>
    public static TResult Fetch<TValue, TResult>(
        this IRequestSender sender, string uri, TValue value, CancellationToken cancellationToken = default) =>
        sender.Send(Exchanging<TValue, TResult>(sender, RequestCode.Fetch, uri, value), cancellationToken).EnsureSuccess().Read<TResult>(sender.Formats);

    /// <summary>Changes a part of the resource (0.06, RFC 8132, section 3).</summary>
    /// <inheritdoc cref="PostAsync{T}" path="/param|/exception"/>
    [OverloadResolutionPriority(-1)]
    public static ValueTask<CoapResponse> PatchAsync<T>(
        this IRequestSender sender, string uri, T value, CancellationToken cancellationToken = default) =>
        sender.SendAsync(sender.Compose(RequestCode.Patch, uri, value), cancellationToken);

    /// <summary>Changes a part of the resource (0.06, RFC 8132, section 3). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PostAsync{T}" path="/param|/exception"/>
    [OverloadResolutionPriority(-1)]
    public static CoapResponse Patch<T>(
        this IRequestSender sender, string uri, T value, CancellationToken cancellationToken = default) =>
        sender.Send(sender.Compose(RequestCode.Patch, uri, value), cancellationToken);

    /// <summary>Changes a part of the resource; repeating the request has no further effect (0.07, RFC 8132, section 3).</summary>
    /// <inheritdoc cref="PostAsync{T}" path="/param|/exception"/>
    [OverloadResolutionPriority(-1)]
    public static ValueTask<CoapResponse> IPatchAsync<T>(
        this IRequestSender sender, string uri, T value, CancellationToken cancellationToken = default) =>
        sender.SendAsync(sender.Compose(RequestCode.IPatch, uri, value), cancellationToken);

    /// <summary>Changes a part of the resource; repeating the request has no further effect (0.07, RFC 8132, section 3). Blocks the calling thread.</summary>
    /// <inheritdoc cref="PostAsync{T}" path="/param|/exception"/>
    [OverloadResolutionPriority(-1)]
    public static CoapResponse IPatch<T>(
        this IRequestSender sender, string uri, T value, CancellationToken cancellationToken = default) =>
        sender.Send(sender.Compose(RequestCode.IPatch, uri, value), cancellationToken);

    /// <summary>Creates a request with a value. Use it to select the format or to add options; then send it.</summary>
    /// <param name="sender">The client or channel. Its formats convert the value.</param>
    /// <param name="method">The method.</param>
    /// <param name="uri">The URI of the resource: an absolute URI, or a path if the sender is a channel.</param>
    /// <param name="value">The value.</param>
    /// <param name="contentFormat">The Content-Format to send. Default: that of the preferred format for the type.</param>
    /// <param name="options">Further options, such as Accept.</param>
    /// <exception cref="ArgumentException">No format with this Content-Format handles the type, the options contain a Content-Format, or the method has no
    /// payload.</exception>
    /// <exception cref="NotSupportedException">No format of the sender handles the type.</exception>
    public static CoapRequest Compose<T>(
        this IRequestSender sender, CoapCode method, string uri, T value, uint? contentFormat = null, params ReadOnlySpan<CoapOption> options)
    {
        ArgumentNullException.ThrowIfNull(sender);
        if (value is null) { throw new ArgumentNullException(nameof(value), "The value is null; a payload requires a value."); }
        foreach (var option in options)
        {
            if (option is ContentFormat) { throw new ArgumentException("The options contain a Content-Format. Pass it as contentFormat instead.", nameof(options)); }
        }
        if (sender.Formats.Select(typeof(T), contentFormat) is not { } format)
        {
            throw new ArgumentException(
                $"No format with the identifier {contentFormat} handles {TypeAdvice.NameOf(typeof(T))}. The formats that do are {sender.Formats.NamesFor(typeof(T))}.", nameof(contentFormat));
        }
        return new(method, uri) { Options = [new ContentFormat(format.ContentFormat), .. options], Payload = PayloadBuffer.Write(format, value) };
    }

    /// <summary>Returns the option that asks for a type.</summary>
    internal static Accept AcceptFor<T>(PayloadFormats formats) => new(formats.For(typeof(T)).ContentFormat);

    private static async ValueTask<T> FetchValueAsync<T>(IRequestSender sender, CoapRequest request, CancellationToken cancellationToken)
    {
        var response = await sender.SendAsync(request, cancellationToken).ConfigureAwait(false);
        return response.EnsureSuccess().Read<T>(sender.Formats);
    }

    private static CoapRequest Asking<T>(IRequestSender sender, CoapCode method, string uri)
    {
        ArgumentNullException.ThrowIfNull(sender);
        return new(method, uri) { Options = [AcceptFor<T>(sender.Formats)] };
    }

    private static CoapRequest Exchanging<TValue, TResult>(IRequestSender sender, CoapCode method, string uri, TValue value)
    {
        ArgumentNullException.ThrowIfNull(sender);
        return sender.Compose(method, uri, value, contentFormat: null, AcceptFor<TResult>(sender.Formats));
    }
}
