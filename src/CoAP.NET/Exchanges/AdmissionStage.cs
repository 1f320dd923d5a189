using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>Drops and counts requests, before they are decoded, if no peer can start another request. Requests are never queued here.</summary>
/// <remarks>Responses, acknowledgements and Resets always pass, because they end exchanges and make room.</remarks>
internal sealed class AdmissionStage(ExchangeLane lane) : InlineStage<Frame, Frame>
{
    private const int CodeOffset = 1;
    private const int LastMethod = 31;

    protected override void Process(in Frame item)
    {
        if (lane.IsFull && item.Link is null && IsRequest(item.Bytes.Span))
        {
            lane.Metrics[lane.IsDraining ? LaneCounters.DroppedAtEnd : LaneCounters.DroppedForOverload]++;
            if (!lane.IsDraining) { lane.Ledger.LogDrop(lane.AccountOf(item.Key.Peer, credentials: null)); }
            return;
        }
        Out.Emit(item);
    }

    private static bool IsRequest(ReadOnlySpan<byte> datagram) => datagram.Length > CodeOffset && datagram[CodeOffset] is > 0 and <= LastMethod;
}
