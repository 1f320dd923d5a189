using CoAP.Options;

namespace CoAP;

/// <summary>An observation of a client in an <see cref="ISubscriptionStore"/>.</summary>
/// <param name="Uri">The absolute URI.</param>
/// <param name="Method">GET or FETCH.</param>
/// <param name="Token">The token of the registration.</param>
public sealed record StoredSubscription(string Uri, CoapCode Method, Token Token)
{
    /// <summary>The options of the request, without Observe and without those of the URI.</summary>
    public OptionSet Options { get; init; }

    /// <summary>The payload of a FETCH.</summary>
    public ReadOnlyMemory<byte> Payload { get; init; }

    /// <summary>Whether the registration is a confirmable message. Default: <see langword="true"/>.</summary>
    public bool IsConfirmable { get; init; } = true;

    internal static StoredSubscription Of(CoapRequest request, Token token) => new(request.Uri!, request.Method, token)
    {
        Options = request.Options,
        Payload = request.Payload,
        IsConfirmable = request.IsConfirmable,
    };

    internal CoapRequest ToRequest() => new(Method, Uri) { Options = Options, Payload = Payload, IsConfirmable = IsConfirmable };
}
