using CoAP.Blocks;
using CoAP.Datagrams;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;
using CoAP.Streams;

namespace CoAP.Exchanges;

/// <summary>Turns answers into messages: piggybacked, separate or non-confirmable, whatever the request asks for (RFC 7252, section 5.2).</summary>
internal sealed class ResponseHandler(LaneContext lane) : InlineStage<Answer, OutgoingMessage>
{
    private static readonly ulong AcceptBit = OptionNumber.SeenBit(Accept.Declaration.Number);
    private static readonly CoapResponse NotAcceptable = new(ResponseCode.NotAcceptable);

    protected override void Process(in Answer item)
    {
        var request = item.Request;
        if (item.Registration is { } registration && !item.Response.IsSuccess) { registration.Revoke(); }
        if (item.Sender is { } sender)
        {
            sender.Send(item.Response);
            return;
        }
        if (request.Stream is { } stream)
        {
            Answer(item, stream);
            return;
        }
        if (request.Message.Type == MessageType.NonConfirmable)
        {
            if (TryNextMessageId(lane, request.Key, out var messageId))
            {
                Out.Emit(Settling(request, Compose(item, MessageType.NonConfirmable, messageId)));
                if (lane.Channels.TryFind(request.Key, out var channel)) { channel.Settle(messageId); }  // nothing is awaited for it
            }
            return;
        }
        if (!item.IsAcknowledged)
        {
            Out.Emit(Settling(request, Compose(item, MessageType.Acknowledgement, request.Message.MessageId)));
            return;
        }
        if (TryNextMessageId(lane, request.Key, out var separateId))
        {
            // Peers that acknowledge nothing must not make us remember without bound: what is too much goes unreliably, once (section 5.2.3).
            if (lane.Exchanges.UnsettledCount >= lane.Settings.MaxPendingRequests || item.IsSentOnce)
            {
                Out.Emit(Settling(request, Compose(item, MessageType.NonConfirmable, separateId)));
                if (lane.Channels.TryFind(request.Key, out var known)) { known.Settle(separateId); }
                return;
            }
            new SeparateAnswer(lane, Settling(request, Compose(item, MessageType.Confirmable, separateId))) { Registration = item.Registration }.Start();
        }
    }

    private void Answer(in Answer item, StreamChannel stream)
    {
        if (stream.IsClosed)
        {
            lane.Metrics.LateAnswers++;
            return;
        }
        Out.Emit(new OutgoingMessage(item.Request.Key, Compose(item, default, default)) { Stream = stream });
        stream.RequestFinished(item.Request.Generation);
    }

    /// <summary>The message that settles a request: from now on deduplication may forget the request, the sooner the safer its method is.</summary>
    private static OutgoingMessage Settling(ReceivedRequest request, CoapMessage message) =>
        new(request.Key, message)
        {
            Ticket = request.Ticket,
            Retention = ClassOf(request.Method),
            ToMulticast = request.IsMulticast ? request : null,
        };

    private static CoapMessage Compose(in Answer answer, MessageType type, MessageId messageId) =>
        Compose(answer.Request, Acceptable(answer.Request, answer.Response), type, messageId);

    private static CoapMessage Compose(ReceivedRequest request, CoapResponse response, MessageType type, MessageId messageId) => new()
    {
        Type = type,
        Code = response.Code,
        MessageId = messageId,
        Token = request.Message.Token,
        Options = response.Options,
        Payload = response.Payload,
    };

    // Handlers that never look at Accept have one format and send it. Where a handler has changed something its answer stands.
    public static CoapResponse Acceptable(ReceivedRequest request, CoapResponse response)
    {
        if ((request.Options.Seen & AcceptBit) == 0 || !response.IsSuccess || !IsSafe(request.Method)) { return response; }
        return response.ContentFormat is { } format && request.Accept is { } wanted && format != wanted ? NotAcceptable : response;
    }

    /// <summary>A message ID for a message of ours that is no request.</summary>
    public static bool TryNextMessageId(LaneContext lane, in ChannelKey key, out MessageId messageId)
    {
        if (lane.Channels.TryFind(key, out var channel))
        {
            if (channel.TryNextMessageId(out messageId)) { return true; }
            lane.Metrics.DroppedForOverload++;  // 65,536 messages to this peer are unsettled
            return false;
        }
        messageId = lane.MessageIds.Next(lane.HashOf(key));
        return true;
    }

    /// <summary>Whether a method changes nothing (RFC 7252, section 5.1; RFC 8132, section 2).</summary>
    public static bool IsSafe(CoapCode method) => method == RequestCode.Get || method == RequestCode.Fetch;

    /// <summary>How early deduplication may forget a request with this method.</summary>
    public static RetentionClass ClassOf(CoapCode method)
    {
        if (IsSafe(method)) { return RetentionClass.Safe; }
        var isIdempotent = method == RequestCode.Put || method == RequestCode.Delete || method == RequestCode.IPatch;
        return isIdempotent ? RetentionClass.Idempotent : RetentionClass.Unsafe;
    }
}
