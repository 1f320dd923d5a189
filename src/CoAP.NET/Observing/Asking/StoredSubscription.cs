using CoAP.Options;

namespace CoAP;

/// <summary>One observation as a store keeps it.</summary>
/// <param name="Uri">The absolute URI.</param>
/// <param name="Method">GET or FETCH.</param>
/// <param name="Token">The token that the server knows the registration by.</param>
public sealed record StoredSubscription(string Uri, CoapCode Method, Token Token)
{
    /// <summary>The options besides those that the URI gives, and Observe.</summary>
    public OptionSet Options { get; init; }

    /// <summary>The body of a FETCH.</summary>
    public ReadOnlyMemory<byte> Payload { get; init; }

    /// <summary>Whether the registration is sent as confirmable.</summary>
    public bool IsConfirmable { get; init; } = true;

    internal static StoredSubscription Of(CoapRequest request, Token token) => new(request.Uri!, request.Method, token)
    {
        Options = request.Options,
        Payload = request.Payload,
        IsConfirmable = request.IsConfirmable,
    };

    internal CoapRequest ToRequest() => new(Method, Uri) { Options = Options, Payload = Payload, IsConfirmable = IsConfirmable };
}
