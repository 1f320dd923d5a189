using CoAP.Options;

namespace CoAP;

/// <summary>One CoAP message, whatever form it has on the wire (RFC 7252, section 3; RFC 8323, section 3.2).</summary>
/// <remarks>Built with an object initializer and immutable from then on. A received message owns its bytes: what a user keeps stays as it is.</remarks>
public sealed class CoapMessage
{
    // The code and the message ID as plain numbers: as structs each takes eight bytes.
    private readonly byte _code;
    private readonly ushort _messageId;
    private readonly Token _token;
    private readonly OptionSet _options;
    private readonly ReadOnlyMemory<byte> _payload;

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
        if (token.Length > Token.InlineLength) { _token = new Token(token); }
        else { _token = new Token(Token.ReadInline(token), token.Length); }
        if (tail.Seen != 0) { _options = new OptionSet(tail.Memory[..tail.OptionsLength], tail.Seen, tail.Space); }
        _payload = tail.Memory[tail.PayloadOffset..];
    }

    /// <summary>The kind of the message on datagram transports; confirmable unless said otherwise. Reliable transports do not carry it.</summary>
    public MessageType Type { get; init; }

    /// <summary>The method, response code or signal; <see cref="CoapCode.Empty"/> for an Empty message.</summary>
    public CoapCode Code { get => new(_code); init => _code = value.Value; }

    /// <summary>Matches an acknowledgement to its message on datagram transports. Reliable transports do not carry it.</summary>
    public MessageId MessageId { get => new(_messageId); init => _messageId = value.Value; }

    /// <summary>Matches a response to its request.</summary>
    public Token Token { get => _token; init => _token = value; }

    /// <summary>The options, in the order of their numbers.</summary>
    public OptionSet Options { get => _options; init => _options = value; }

    /// <summary>The bytes behind the payload marker; none means no marker. Not copied: they must not change once the message is used.</summary>
    public ReadOnlyMemory<byte> Payload { get => _payload; init => _payload = value; }

    /// <summary>The token, not copied.</summary>
    internal ref readonly Token TokenInPlace => ref _token;

    /// <summary>The bytes of the options.</summary>
    internal ReadOnlySpan<byte> OptionBytes => _options.Wire.Span;

    /// <summary>The length of <see cref="OptionBytes"/>.</summary>
    internal int OptionLength => _options.Wire.Length;

    /// <summary>Type, code, message ID, token, options and the payload's length, for log lines.</summary>
    public override string ToString() => $"{Type} {Code} ID {MessageId} token [{Token}] options [{Options}] payload {Payload.Length} bytes";
}
