using CoAP.Blocks;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>Stops requests with critical options that nobody here understands, and those meant for a proxy (RFC 7252, sections 5.4.1 and 5.7.2).</summary>
/// <param name="lane">The lane.</param>
/// <param name="understood">The options that are understood.</param>
/// <param name="datagrams">Where requests come from that came over no connection.</param>
internal sealed class OptionGuard(LaneContext lane, OptionRegistry understood, IRequestOrigin? datagrams = null) : InlineStage<ReceivedMessage, ReceivedRequest>
{
    private static readonly ulong ProxyBits = OptionNumber.SeenBit(ProxyUri.Declaration.Number) | OptionNumber.SeenBit(ProxyScheme.Declaration.Number);

    // What a response with the token needs besides it: header, options, a diagnostic payload.
    private const int RoomBesideToken = 64;

    private readonly int _maxTokenLength = Math.Max(Token.InlineLength, Math.Min(lane.Settings.MaxTokenLength, lane.Settings.MaxSendSize - RoomBesideToken));

    /// <summary>Answers to what was stopped.</summary>
    public Output<Answer> Answers { get; } = new();

    public override void Complete()
    {
        base.Complete();
        Answers.Complete();
    }

    protected override void Process(in ReceivedMessage item)
    {
        var message = item.Message;
        if (message.Token.Length > _maxTokenLength && item.Frame.Stream is null)
        {
            RefuseToken(item);
            return;
        }
        var request = item.Frame.Stream is { } stream
            ? new ReceivedRequest(message, item.Key, stream) { Stream = stream, Generation = stream.RequestStarted(), Credentials = stream.Credentials }
            : new ReceivedRequest(message, item.Key, datagrams!) { Ticket = item.Ticket, DatagramLength = item.Frame.Bytes.Length, IsMulticast = item.IsMulticast };
        if (OptionCheck.FindUnrecognizedCritical(message.Options, understood, message.Code, out var number))
        {
            Refuse(item, request, number);
            return;
        }
        if ((message.Options.Seen & ProxyBits) != 0)
        {
            Answers.Emit(new Answer(request, new CoapResponse(ResponseCode.ProxyingNotSupported), isAcknowledged: false));
            return;
        }
        Out.Emit(request);
    }

    // 4.00 says that extended tokens are known but none of this length will ever be taken (RFC 8974, section 2.2.2). What cannot even carry the
    // token back is a Reset, since for this sender it comes to the same.
    private void RefuseToken(in ReceivedMessage item)
    {
        var message = item.Message;
        if (message.Token.Length > lane.Settings.MaxSendSize - RoomBesideToken && !item.IsMulticast)
        {
            lane.Send(Reactions.Reset(item.Key, message.MessageId) with { Ticket = item.Ticket, Retention = RetentionClass.Safe });
            return;
        }
        var response = Response.Error(ResponseCode.BadRequest, $"Tokens of up to {_maxTokenLength} bytes are taken.");
        var request = new ReceivedRequest(message, item.Key, datagrams!) { Ticket = item.Ticket, DatagramLength = item.Frame.Bytes.Length, IsMulticast = item.IsMulticast };
        Answers.Emit(new Answer(request, response, isAcknowledged: false));
    }

    private void Refuse(in ReceivedMessage item, ReceivedRequest request, int number)
    {
        if (request.IsReliable || item.Message.Type == MessageType.Confirmable || item.IsMulticast)
        {
            var response = Response.Error(ResponseCode.BadOption, $"Option {number} is critical and not understood.");
            Answers.Emit(new Answer(request, response, isAcknowledged: false));
            return;
        }
        lane.Send(Reactions.Reset(item.Key, item.Message.MessageId) with { Ticket = item.Ticket, Retention = RetentionClass.Safe });
    }
}
