using CoAP.Reliability;
using CoAP.Serialization;
using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>Messages in, bytes out. Keeps the bytes of answers for their duplicates, and refuses what does not fit the transport.</summary>
/// <param name="lane">The lane.</param>
/// <param name="serializer">The wire form.</param>
/// <param name="deduplication">Where answers are kept; none on reliable transports.</param>
internal sealed class SerializerStage(ExchangeLane lane, CoapMessageSerializer serializer, Deduplication? deduplication)
    : InlineStage<OutgoingMessage, Frame>
{
    // What one large message needed is not kept for the small ones that follow.
    private const int LargestKept = 64 << 10;

    private readonly int _large = lane.IsReliable ? lane.Settings.LargeMessageSize : int.MaxValue;
    private byte[] _scratch = GC.AllocateUninitializedArray<byte>(Math.Max(2048, lane.Settings.MaxSendSize));

    protected override void Process(in OutgoingMessage item)
    {
        var message = item.Message;
        var size = serializer.GetSize(message);
        if (size > LimitOf(item))
        {
            RefuseTooLarge(item, size);
            return;
        }
        if (message.Payload.Length >= _large)
        {
            EmitLarge(item);
            return;
        }
        var bytes = size <= _scratch.Length ? _scratch : GC.AllocateUninitializedArray<byte>(size);
        if (bytes.Length <= LargestKept) { _scratch = bytes; }
        serializer.Write(bytes, message);
        if (deduplication is not null) { Remember(item, bytes.AsSpan(0, size)); }
        lane.Metrics.Sent(message);
        Out.Emit(new Frame(item.Key, bytes.AsMemory(0, size)) { Link = item.Link, Group = item.Group, IsRequest = message.Code.IsRequest });
    }

    // What is before the payload goes in an array of its own, the payload as it lies.
    private void EmitLarge(in OutgoingMessage item)
    {
        var message = item.Message;
        var head = new byte[serializer.GetHeadSize(message)];
        serializer.WriteHead(head, message);
        lane.Metrics.Sent(message);
        Out.Emit(new Frame(item.Key, head) { Link = item.Link, IsOwned = true, IsRequest = message.Code.IsRequest, Large = message });
    }

    private int LimitOf(in OutgoingMessage item) => item.Link is null ? lane.Settings.MaxSendSize : item.Link.MaxSendSize;

    private void Remember(in OutgoingMessage item, ReadOnlySpan<byte> bytes)
    {
        if (item.Retention is { } retention)
        {
            // Only what stands in the place of the acknowledgement is sent again for a duplicate; other answers have a life of their own.
            var isAnswerToDuplicates = item.Message.Type >= MessageType.Acknowledgement;
            deduplication!.Retain(item.Ticket, retention, isAnswerToDuplicates ? bytes : default, lane.Now);
        }
        else if (item.Message.Type == MessageType.Acknowledgement && item.Message.Code.IsEmpty) { deduplication!.MarkAcknowledged(item.Ticket); }
    }

    // A request was measured before it came here, so this is a response of a handler that knows nothing of the transport's limit.
    private void RefuseTooLarge(in OutgoingMessage item, int size)
    {
        var message = item.Message;
        Log.ResponseTooLarge(lane.Logger, message.Token, item.Key.Peer, size, LimitOf(item));
        if (!message.Code.IsResponse) { return; }
        var error = new CoapMessage { Type = message.Type, Code = ResponseCode.InternalServerError, MessageId = message.MessageId, Token = message.Token };
        if (serializer.GetSize(error) <= LimitOf(item))
        {
            Process(new OutgoingMessage(item.Key, error) { Link = item.Link, Ticket = item.Ticket, Retention = item.Retention });
        }
    }
}
