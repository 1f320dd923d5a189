using CoAP.Lanes;
using CoAP.Reliability;
using CoAP.Serialization;
using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>Turns messages into bytes. Keeps the bytes of answers for duplicate requests, and refuses messages that are too large for the transport.</summary>
/// <param name="lane">The lane.</param>
/// <param name="settings">The sizes of messages.</param>
/// <param name="serializer">The serializer of the transport's message format.</param>
/// <param name="deduplication">Keeps answers; <see langword="null"/> on reliable transports.</param>
internal sealed class SerializerStage(ExchangeLane lane, ExchangeSettings settings, CoapMessageSerializer serializer, Deduplication? deduplication)
    : InlineStage<OutgoingMessage, Frame>
{
    // A larger buffer is used once and not kept for the messages that follow.
    private const int LargestKept = 64 << 10;

    private static readonly byte[] TooLarge = "The response does not fit into a message."u8.ToArray();

    private readonly int _large = lane.IsReliable ? settings.LargeMessageSize : int.MaxValue;
    private byte[] _scratch = GC.AllocateUninitializedArray<byte>(Math.Max(2048, settings.MaxSendSize));

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

    // Writes everything before the payload to a new array. The payload is sent from where it is.
    private void EmitLarge(in OutgoingMessage item)
    {
        var message = item.Message;
        var head = new byte[serializer.GetHeadSize(message)];
        serializer.WriteHead(head, message);
        lane.Metrics.Sent(message);
        Out.Emit(new Frame(item.Key, head) { Link = item.Link, IsOwned = true, IsRequest = message.Code.IsRequest, Large = message });
    }

    private int LimitOf(in OutgoingMessage item) =>
        item.Link is { } link ? link.MaxSendSize : lane.MaxSendSizeTo(item.Key);

    private void Remember(in OutgoingMessage item, ReadOnlySpan<byte> bytes)
    {
        if (item.Retention is { } retention)
        {
            // Only an answer that doubles as the acknowledgement is sent again for a duplicate. Other answers are retransmitted by themselves.
            var isAnswerToDuplicates = item.Message.Type >= MessageType.Acknowledgement;
            var answer = isAnswerToDuplicates ? bytes : default;
            deduplication!.Retain(item.Ticket, retention, answer, lane.Now, lane.HasVerified(item.Key.Peer));
        }
        else if (item.Message.Type == MessageType.Acknowledgement && item.Message.Code.IsEmpty) { deduplication!.MarkAcknowledged(item.Ticket); }
    }

    // A response is that of a handler that does not know the transport's limit. Requests are measured before they reach this stage, but
    // the limit of the peer may have changed since then, or a stage may have added to them.
    private void RefuseTooLarge(in OutgoingMessage item, int size)
    {
        var message = item.Message;
        if (message.Code.IsRequest)
        {
            FailRequest(item, size);
            return;
        }
        if (lane.Log.TryPass(LogEvent.ResponseTooLarge, null, out var held))
        {
            Log.ResponseTooLarge(lane.Logger, message.Token, item.Key.Peer, size, LimitOf(item), held);
        }
        if (!message.Code.IsResponse) { return; }
        var error = new CoapMessage(message.Type, ResponseCode.InternalServerError, message.MessageId, message.Token, [], TooLarge);
        if (serializer.GetSize(error) > LimitOf(item)) { error = new(message.Type, error.Code, message.MessageId, message.Token, [], default); }
        if (serializer.GetSize(error) <= LimitOf(item))
        {
            Process(new OutgoingMessage(item.Key, error) { Link = item.Link, Ticket = item.Ticket, Retention = item.Retention });
        }
        item.Request?.Fail();
    }

    // Later, because the exchange is being started.
    private void FailRequest(in OutgoingMessage item, int size)
    {
        if (!lane.Exchanges.TryFind(item.Message.Token, item.Key, out var owner)) { return; }
        var error = lane.TooLarge(item.Key, size);
        lane.Post(new LaneAction(() => owner.Fail(error)));
    }
}
