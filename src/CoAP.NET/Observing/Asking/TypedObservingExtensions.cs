using System.Runtime.CompilerServices;

namespace CoAP;

/// <summary>Observes resources and returns their states as values (RFC 7641).</summary>
public static class TypedObservingExtensions
{
    /// <summary>Observes a resource. <c>await foreach</c> over the result registers and returns each state as a value; leaving the loop cancels.</summary>
    /// <typeparam name="T">A type that a format of the sender handles. The request accepts the preferred one.</typeparam>
    /// <param name="sender">The client or channel.</param>
    /// <param name="uri">The resource: an absolute URI, or for a channel a path.</param>
    /// <param name="cancellationToken">Cancels the observation.</param>
    /// <remarks>
    /// An error response ends the observation with a <see cref="CoapResponseException"/>, a payload that cannot be read with a
    /// <see cref="CoapPayloadException"/>. Use <see cref="ObservingExtensions.ObserveAsync(IRequestSender, string, CancellationToken)"/> and
    /// <see cref="ResponsePayloadExtensions.Read"/> to continue after a bad payload, or to see sequence numbers.
    /// </remarks>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="NotSupportedException">No format of the sender handles the type.</exception>
    public static IAsyncEnumerable<T> ObserveAsync<T>(this IRequestSender sender, string uri, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sender);
        return ReadAsync<T>(sender.ObserveAsync(RequestFor<T>(sender, uri), cancellationToken), sender.Formats, cancellationToken);
    }

    /// <summary>Observes a resource. <c>foreach</c> over the result registers, blocks for each state and returns it as a value; leaving the loop cancels.</summary>
    /// <inheritdoc cref="ObserveAsync" path="/typeparam|/param|/remarks|/exception"/>
    public static IEnumerable<T> Observe<T>(this IRequestSender sender, string uri, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sender);
        return ReadEach<T>(sender.Observe(RequestFor<T>(sender, uri), cancellationToken), sender.Formats);
    }

    private static CoapRequest RequestFor<T>(IRequestSender sender, string uri) =>
        new(RequestCode.Get, uri) { Options = [RequestExtensions.AcceptFor<T>(sender.Formats)] };

    private static async IAsyncEnumerable<T> ReadAsync<T>(
        CoapObservation observation, PayloadFormats formats, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var notification in observation.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            yield return notification.Response.EnsureSuccess().Read<T>(formats);
        }
    }

    private static IEnumerable<T> ReadEach<T>(BlockingObservation observation, PayloadFormats formats)
    {
        foreach (var notification in observation) { yield return notification.Response.EnsureSuccess().Read<T>(formats); }
    }
}
