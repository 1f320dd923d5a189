using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Transfers the bodies of a lane's requests in blocks (RFC 7959).</summary>
internal sealed class BlockTransfers(ClientTransferSettings settings, ResponseBudget responses) : IBodyTransfers
{
    private static readonly ulong Block2Bit = OptionNumber.SeenBit(Block2.Declaration.Number);

    public ClientTransferSettings Settings => settings;

    /// <summary>Limits the unfinished bodies of responses.</summary>
    public ResponseBudget Responses => responses;

    /// <summary>The Request-Tags of the bodies that are being sent.</summary>
    public RequestTags Tags { get; } = new();

    public CallPlan Plan(CoapRequest request, in OptionSet options, in MessageLimits limits)
    {
        var plan = TransferPlan.Of(request, options, limits, settings);
        return new(plan.IsPlain, plan.FitsWhole);
    }

    public IBodyTransfer? ForRequest(ClientCall call) => call.First is not null || NeedsBlocks(call) ? new BlockTransfer(call, this) : null;

    public IBodyTransfer? ForResponse(ClientCall call, CoapMessage response)
    {
        if (call.Plan.IsPlain) { return null; }
        if ((response.Options.Seen & BlockOption.OtherBits) != 0)
        {
            throw new CoapTransferException($"{call.Peer} answered with a block of another kind than the request asked for.");
        }
        var isWhole = (response.Options.Seen & Block2Bit) == 0 && response.Code != ResponseCode.RequestEntityTooLarge;
        if (!isWhole) { return new BlockTransfer(call, this); }
        if (response.Payload.Length <= settings.MaxResponseBody || call.Request.ResponseBody is not null) { return null; }
        throw new CoapTransferException(
            $"The body has {response.Payload.Length} bytes; at most {settings.MaxResponseBody} are accepted (ClientTransferSettings.MaxResponseBody).");
    }

    /// <summary>Computes the whole plan of a call. Calls do not store it because small calls, which are the majority, do not need it.</summary>
    public TransferPlan PlanOf(ClientCall call) => TransferPlan.Of(call.Request, call.Options, call.Limits!.Value, settings);

    private bool NeedsBlocks(ClientCall call)
    {
        if (call.Plan.IsPlain) { return false; }
        return !call.Plan.FitsWhole || call.Work is not null || call.Request.PreferredBlockSize is not null || call.Request.ResumeFrom is not null
            || settings.NegotiatesBlockSizeEarly;
    }
}
