using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Robust;

/// <summary>Selects robust transfers (RFC 9177) for the requests whose settings ask for them, and transfers in blocks for the others.</summary>
internal sealed class RobustTransfers(BlockTransfers blocks, RobustTransferSettings settings, ExchangeSettings exchanges) : IBodyTransfers
{
    public BlockTransfers Blocks => blocks;

    public RobustTransferSettings Settings => settings;

    public ExchangeSettings Exchanges => exchanges;

    public CallPlan Plan(CoapRequest request, in OptionSet options, in MessageLimits limits) => blocks.Plan(request, options, limits);

    public IBodyTransfer? ForRequest(ClientCall call) => IsFor(call) ? new RobustCall(call, this) : blocks.ForRequest(call);

    public IBodyTransfer? ForResponse(ClientCall call, CoapMessage response) => blocks.ForResponse(call, response);

    private bool IsFor(ClientCall call)
    {
        var request = call.Request;
        var mode = request.RobustMode ?? blocks.Settings.RobustMode;
        if (mode == RobustMode.Off || call.IsForgotten || call.Plan.IsPlain || call.First is not null) { return false; }
        if (request.Body is not null || request.ResponseBody is not null || request.ResumeFrom is not null) { return false; }
        return !call.Plan.FitsWhole || request.Method.IsSafe;
    }
}
