using CoAP.Options;

namespace CoAP;

/// <summary>One CoAP message, whatever form it has on the wire (RFC 7252, section 3; RFC 8323, section 3.2).</summary>
/// <remarks>Built with an object initializer and immutable from then on. A received message owns its bytes: what a user keeps stays as it is.</remarks>
public sealed class CoapMessage
{
    /// <summary>A message without type, token, options and payload until an initializer gives it some.</summary>
    public CoapMessage()
    {
    }

    /// <summary>A received message.</summary>
    /// <param name="type">Confirmable where the form has no types.</param>
    /// <param name="code">The code.</param>
    /// <param name="messageId">None where the form has none.</param>
    /// <param name="token">Is copied.</param>
    /// <param name="tail">Options, marker and payload, the message's from now on.</param>
    internal CoapMessage(MessageType type, CoapCode code, MessageId messageId, ReadOnlySpan<byte> token, in ReceivedTail tail)
    {
        Type = type;
        Code = code;
        MessageId = messageId;
        if (token.Length > Token.InlineLength) { Token = new Token(token); }
        else { Token = new Token(Token.ReadInline(token), token.Length); }
        if (tail.Seen != 0) { Options = new OptionSet(tail.Memory[..tail.OptionsLength], tail.Seen, tail.Space); }
        Payload = tail.Memory[tail.PayloadOffset..];
    }

    /// <summary>The kind of the message on datagram transports; confirmable unless said otherwise. Reliable transports do not carry it.</summary>
    public MessageType Type { get; init; }

    /// <summary>The method, response code or signal; <see cref="CoapCode.Empty"/> for an Empty message.</summary>
    public CoapCode Code { get; init; }

    /// <summary>Matches an acknowledgement to its message on datagram transports. Reliable transports do not carry it.</summary>
    public MessageId MessageId { get; init; }

    /// <summary>Matches a response to its request.</summary>
    public Token Token { get; init; }

    /// <summary>The options, in the order of their numbers.</summary>
    public OptionSet Options { get; init; }

    /// <summary>The bytes behind the payload marker; none means no marker. Not copied: they must not change once the message is used.</summary>
    public ReadOnlyMemory<byte> Payload { get; init; }

    /// <summary>Type, code, message ID, token, options and the payload's length, for log lines.</summary>
    public override string ToString() => $"{Type} {Code} ID {MessageId} token [{Token}] options [{Options}] payload {Payload.Length} bytes";
}
