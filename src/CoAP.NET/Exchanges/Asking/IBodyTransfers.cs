using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Chooses how a call transfers bodies that do not fit into a message. The mesh supplies it.</summary>
internal interface IBodyTransfers
{
    /// <summary>Returns how the request fits into messages.</summary>
    /// <exception cref="ArgumentException">The request can be sent neither whole nor in blocks.</exception>
    CallPlan Plan(CoapRequest request, in OptionSet options, in MessageLimits limits);

    /// <summary>Returns the transfer that the call begins with, or <see langword="null"/> if one message is enough.</summary>
    IBodyTransfer? ForRequest(ClientCall call);

    /// <summary>Returns the transfer that a response asks for, or <see langword="null"/> if the response is whole.</summary>
    /// <exception cref="CoapTransferException">The response is in a form that nobody asked for.</exception>
    IBodyTransfer? ForResponse(ClientCall call, CoapMessage response);
}

/// <summary>One body on its way, in one or both directions.</summary>
internal interface IBodyTransfer
{
    /// <summary>Whether the request has been sent in blocks.</summary>
    bool HasSentBlocks { get; }

    void Start();

    void OnResponse(CoapMessage response);

    void OnFailure(Exception error);

    /// <summary>Releases what the transfer holds. The call is over.</summary>
    void End();
}

/// <summary>How the request of a call fits into messages.</summary>
/// <param name="IsPlain">Whether the request has block options of its own, so that nothing is transferred for it.</param>
/// <param name="FitsWhole">Whether the request fits into one message.</param>
internal readonly record struct CallPlan(bool IsPlain, bool FitsWhole);

/// <summary>Requests and responses that fit into a message, and no others.</summary>
internal sealed class WholeMessages : IBodyTransfers
{
    private WholeMessages()
    {
    }

    public static WholeMessages Only { get; } = new();

    public CallPlan Plan(CoapRequest request, in OptionSet options, in MessageLimits limits) => new(IsPlain: true, FitsWhole: true);

    public IBodyTransfer? ForRequest(ClientCall call) => null;

    public IBodyTransfer? ForResponse(ClientCall call, CoapMessage response) => null;
}
