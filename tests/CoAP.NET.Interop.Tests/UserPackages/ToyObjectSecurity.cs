using System.Text;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Interop.Tests.UserPackages;

/// <summary>
/// A toy of object security, as a package of its own would write it: it protects messages one by one, whatever the transport. Method, options and
/// payload travel in the payload of another message, which names the sender in the OSCORE option. It is no security at all: the "cipher" is one byte.
/// </summary>
internal sealed class ToyObjectSecurity
{
    private const byte Key = 0x5A;

    private readonly ILane _lane;
    private readonly Oscore? _sender;
    private readonly HashSet<(ChannelKey Channel, Token Token)> _exchanges = [];     // a toy never forgets

    private ToyObjectSecurity(LaneBuilder lane, string? sender)
    {
        (_lane, _sender) = (lane.Lane, sender is null ? null : new Oscore(Encoding.UTF8.GetBytes(sender)));
        lane.Insert(MeshArrow.NewMessages, new Opening(this));
        lane.Insert(MeshArrow.MessagesOut, new Sealing(this));
    }

    /// <summary>The layer of a client that protects all its requests.</summary>
    public static MeshLink Client(string name) => MeshLink.Stages(lane => _ = new ToyObjectSecurity(lane, name));

    /// <summary>The layer of a server that answers protected requests with protected responses.</summary>
    public static MeshLink Server() => MeshLink.Stages(lane => _ = new ToyObjectSecurity(lane, null));

    private static CoapMessage Seal(CoapMessage inner, CoapCode code, Oscore option)
    {
        var plain = new CoapMessage { Code = inner.Code, Options = inner.Options, Payload = inner.Payload };
        return Replace(inner, code, [option], Cipher(CoapMessageSerializer.Datagram.Serialize(plain)));
    }

    private static CoapMessage? Open(CoapMessage outer)
    {
        if (!CoapMessageSerializer.Datagram.TryRead(Cipher(outer.Payload.ToArray()), out var plain, out _, out _)) { return null; }
        return plain.Code.IsRequest == outer.Code.IsRequest ? Replace(outer, plain.Code, plain.Options, plain.Payload) : null;
    }

    private static CoapMessage Replace(CoapMessage message, CoapCode code, OptionSet options, ReadOnlyMemory<byte> payload) => new()
    {
        Type = message.Type,
        MessageId = message.MessageId,
        Token = message.Token,
        Code = code,
        Options = options,
        Payload = payload,
    };

    private static byte[] Cipher(byte[] bytes) => [.. bytes.Select(one => (byte)(one ^ Key))];

    private sealed class Opening(ToyObjectSecurity layer) : InlineStage<ReceivedMessage, ReceivedMessage>
    {
        protected override void Process(in ReceivedMessage item)
        {
            if (item.Message.Options.Get<Oscore>() is not { } option) { Out.Emit(item); }
            else if (Open(item.Message) is { } plain)
            {
                if (plain.Code.IsRequest) { layer._exchanges.Add((item.Key, plain.Token)); }
                var sender = new PeerCredentials { PreSharedKeyIdentity = Encoding.UTF8.GetString(option.Value.Span) };
                Out.Emit(item.With(plain) with { Credentials = sender });
            }
            else { layer._lane.Drop(MeshArrow.NewMessages, item); }
        }
    }

    private sealed class Sealing(ToyObjectSecurity layer) : InlineStage<OutgoingMessage, OutgoingMessage>
    {
        protected override void Process(in OutgoingMessage item)
        {
            var message = item.Message;
            if (message.Code.IsRequest && layer._sender is { } sender) { Out.Emit(item.With(Seal(message, RequestCode.Post, sender))); }
            else if (message.Code.IsResponse && layer._exchanges.Contains((item.Key, message.Token)))
            {
                Out.Emit(item.With(Seal(message, ResponseCode.Changed, new Oscore(default))));
            }
            else { Out.Emit(item); }
        }
    }
}
