using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Chooses how a call transfers bodies that do not fit into a message. The mesh supplies it.</summary>
internal interface IBodyTransfers
{
    /// <summary>Decides how the request fits into messages.</summary>
    /// <exception cref="ArgumentException">The request can be sent neither whole nor in blocks.</exception>
    CallPlan Plan(CoapRequest request, in OptionSet options, in MessageLimits limits);

    /// <summary>Returns the transfer that starts the call, or <see langword="null"/> if one message is enough.</summary>
    IBodyTransfer? ForRequest(ClientCall call);

    /// <summary>Returns the transfer that a response requires, or <see langword="null"/> if the response is complete.</summary>
    /// <exception cref="CoapTransferException">The response has a form that was not requested.</exception>
    IBodyTransfer? ForResponse(ClientCall call, CoapMessage response);
}

/// <summary>One transfer of bodies, in one or both directions.</summary>
internal interface IBodyTransfer
{
    /// <summary>Whether the request has been sent in blocks.</summary>
    bool HasSentBlocks { get; }

    void Start();

    void OnResponse(CoapMessage response);

    void OnFailure(Exception error);

    /// <summary>Called on the lane when the caller has done a task for the transfer.</summary>
    void OnDone(CallerTask task) { }

    /// <summary>Called instead of <see cref="OnDone"/> if the lane has ended.</summary>
    void Abandon() { }

    /// <summary>Releases the resources of the transfer when the call has ended.</summary>
    void End();
}

/// <summary>How the request of a call fits into messages.</summary>
/// <param name="IsPlain">Whether the request is sent as it is, because it has its own block options.</param>
/// <param name="FitsWhole">Whether the request fits into one message.</param>
internal readonly record struct CallPlan(bool IsPlain, bool FitsWhole);

/// <summary>Sends requests and receives responses in one message each. Used if no other way of transfer is linked.</summary>
internal sealed class WholeMessages : IBodyTransfers
{
    private WholeMessages() { }

    public static WholeMessages Only { get; } = new();

    public CallPlan Plan(CoapRequest request, in OptionSet options, in MessageLimits limits) => new(IsPlain: true, FitsWhole: true);

    public IBodyTransfer? ForRequest(ClientCall call) => null;

    public IBodyTransfer? ForResponse(ClientCall call, CoapMessage response) => null;
}
