using CoAP.Lanes;
using CoAP.Serialization;
using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>Turns received bytes into messages. The format error of malformed bytes determines the reaction to them (RFC 7252, section 4.2).</summary>
internal sealed class DeserializerStage(ExchangeLane lane, CoapMessageSerializer serializer) : InlineStage<Frame, ReceivedMessage>
{
    /// <summary>Resets for malformed datagrams.</summary>
    public Output<OutgoingMessage> Reactions => field ??= Port<OutgoingMessage>();

    protected override void Process(in Frame item)
    {
        var isMessage = item.IsOwned
            ? serializer.TryRead(item.Bytes, out var message, out var error, out _)
            : serializer.TryRead(item.Bytes.Span, out message, out error, out _);
        if (!isMessage)
        {
            Reject(item, error);
            return;
        }
        lane.Metrics.Received(message!);
        // RFC 7252, section 8.1: only non-confirmable requests may be sent to a group.
        if (item.Group is not null && !(message!.Type == MessageType.NonConfirmable && message.Code.IsRequest))
        {
            lane.Metrics[LaneCounters.IgnoredMulticasts]++;
            return;
        }
        Out.Emit(new ReceivedMessage(item, message!));
    }

    private void Reject(in Frame frame, FormatError error)
    {
        lane.Metrics.Reject(error);
        Log.Malformed(lane.Logger, frame.Key.Peer, error);
        if (frame.Link is { } link)
        {
            link.AbortMalformed(error);
            return;
        }
        if (frame.Group is not null) { return; }    // RFC 7252, section 8.1: a multicast message is never rejected with a Reset
        var datagram = frame.Bytes.Span;
        if (!DatagramHeader.IsRejected(error, datagram)) { return; }
        Reactions.Emit(EmptyMessages.Reset(frame.Key, DatagramHeader.ReadMessageId(datagram)));
    }
}
