using Polly;
using Polly.Retry;

namespace CoAP.Hosting;

/// <summary>Ready-made parts of resilience pipelines for CoAP.</summary>
public static class CoapResilience
{
    private static readonly TimeSpan DefaultMaxDelay = TimeSpan.FromSeconds(30);

    /// <summary>The property of the context that contains the request.</summary>
    public static ResiliencePropertyKey<CoapRequest> Request { get; } = new("coap.request");

    /// <summary>
    /// Adds three retries of idempotent requests, after 1, 2 and 4 s with jitter, or after the Max-Age of the response. Pass it to
    /// <see cref="CoapClientBuilder.AddResilience(Action{ResiliencePipelineBuilder{CoapResponse}})"/>.
    /// </summary>
    /// <remarks>See <see cref="Retry"/>. CoAP retransmits messages itself, so a timeout takes up to 93 s. Set <see cref="CoapClientSettings.Timeout"/> to retry sooner.</remarks>
    public static void Standard(ResiliencePipelineBuilder<CoapResponse> builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.AddRetry(Retry());
    }

    /// <summary>Creates the options of a retry strategy for requests that failed for a reason that may pass.</summary>
    /// <param name="maxRetries">The largest number of retries. Default: 3.</param>
    /// <param name="maxDelay">
    /// The longest wait before a retry. If the Max-Age of a 5.03 or 4.29 is longer, the response is returned at once. Default: 30 s.
    /// </param>
    /// <param name="retriesAllMethods">
    /// Whether POST and PATCH are retried too. The server may then process a request twice. Default: <see langword="false"/>.
    /// </param>
    /// <returns>Options that can be changed before they are added to a pipeline.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number is less than 1, or the delay is not positive.</exception>
    public static RetryStrategyOptions<CoapResponse> Retry(int maxRetries = 3, TimeSpan? maxDelay = null, bool retriesAllMethods = false)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxRetries, 1);
        var longest = maxDelay ?? DefaultMaxDelay;
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(longest, TimeSpan.Zero, nameof(maxDelay));
        return new RetryStrategyOptions<CoapResponse>
        {
            Name = "CoapRetry",
            MaxRetryAttempts = maxRetries,
            BackoffType = DelayBackoffType.Exponential,
            Delay = TimeSpan.FromSeconds(1),
            MaxDelay = longest,
            UseJitter = true,
            ShouldHandle = one => new(
                IsTransient(one.Outcome) && MayRepeat(one.Context, retriesAllMethods) && !IsOfMember(one.Context, one.Outcome)
                && !(one.Outcome.Result?.RetryAfter > longest)),
            DelayGenerator = static one => new(one.Outcome.Result?.RetryAfter),
        };
    }

    /// <summary>
    /// Returns whether a request failed for a reason that may pass: no answer in time, a failure of the network, a full queue of requests, or a 5.03 or 4.29.
    /// Use it for circuit breakers.
    /// </summary>
    /// <param name="outcome">The response or the exception.</param>
    public static bool IsTransient(Outcome<CoapResponse> outcome) =>
        outcome.Exception is CoapTimeoutException or CoapTransportException or CoapBusyException
        || outcome.Result is { } response && (response.Code == ResponseCode.ServiceUnavailable || response.Code == ResponseCode.TooManyRequests);

    /// <summary>
    /// Returns whether a method is idempotent: a repeated request has the effect of one. GET, PUT and DELETE (RFC 7252, section 5.1), and FETCH and iPATCH
    /// (RFC 8132, section 4) are. POST and PATCH are not.
    /// </summary>
    /// <param name="method">The method.</param>
    public static bool IsIdempotent(CoapCode method) =>
        method == RequestCode.Get || method == RequestCode.Put || method == RequestCode.Delete || method == RequestCode.Fetch || method == RequestCode.IPatch;

    // Without the request, the pipeline is used outside of a client, and nothing is known about the method.
    private static bool MayRepeat(ResilienceContext context, bool retriesAllMethods) =>
        context.Properties.TryGetValue(Request, out var request) && (retriesAllMethods || IsIdempotent(request.Method)) && request.IsRepeatable;

    // One member of a group that is busy must not have all others answer again.
    private static bool IsOfMember(ResilienceContext context, Outcome<CoapResponse> outcome) =>
        outcome.Exception is null && context.Properties.TryGetValue(Request, out var request) && request.Shape == AnswerShape.Group;
}
