using CoAP.Options;

namespace CoAP;

/// <summary>A CoAP message, independent of its form on the wire (RFC 7252, section 3; RFC 8323, section 3.2).</summary>
/// <remarks>Built with an object initializer and immutable afterwards. A received message owns its bytes, so they never change.</remarks>
public sealed class CoapMessage
{
    // Stored as plain numbers because a struct of one number takes eight bytes here.
    private readonly byte _code;
    private readonly ushort _messageId;
    private readonly Token _token;
    private readonly OptionSet _options;
    private readonly ReadOnlyMemory<byte> _payload;

    /// <summary>Creates a message without token, options and payload; the initializer sets them.</summary>
    public CoapMessage()
    {
    }

    /// <summary>Creates a message from all its parts.</summary>
    internal CoapMessage(MessageType type, CoapCode code, MessageId messageId, in Token token, in OptionSet options, ReadOnlyMemory<byte> payload)
    {
        Type = type;
        Code = code;
        MessageId = messageId;
        _token = token;
        _options = options;
        _payload = payload;
    }

    /// <summary>Creates a received message.</summary>
    /// <param name="type">The type, or confirmable if the form has no types.</param>
    /// <param name="code">The code.</param>
    /// <param name="messageId">The message ID, or 0 if the form has none.</param>
    /// <param name="token">The token, which is copied.</param>
    /// <param name="tail">Options, marker and payload, which the message owns from now on.</param>
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

    /// <summary>The type of the message on datagram transports. Default: confirmable. Not sent on reliable transports.</summary>
    public MessageType Type { get; init; }

    /// <summary>The method, response code or signaling code; <see cref="CoapCode.Empty"/> for an Empty message.</summary>
    public CoapCode Code { get => new(_code); init => _code = value.Value; }

    /// <summary>The number that matches an acknowledgement to its message on datagram transports. Not sent on reliable transports.</summary>
    public MessageId MessageId { get => new(_messageId); init => _messageId = value.Value; }

    /// <summary>The token, which matches a response to its request.</summary>
    public Token Token { get => _token; init => _token = value; }

    /// <summary>The options in the order of their numbers.</summary>
    public OptionSet Options { get => _options; init => _options = value; }

    /// <summary>The bytes after the payload marker; no marker is sent if there are none. They are not copied and must not change afterwards.</summary>
    public ReadOnlyMemory<byte> Payload { get => _payload; init => _payload = value; }

    /// <summary>The token by reference, to avoid a copy.</summary>
    internal ref readonly Token TokenInPlace => ref _token;

    /// <summary>The options in their form on the wire.</summary>
    internal ReadOnlySpan<byte> OptionBytes => _options.Wire.Span;

    /// <summary>The length of <see cref="OptionBytes"/>.</summary>
    internal int OptionLength => _options.Wire.Length;

    /// <summary>Returns the message with other options and another payload.</summary>
    internal CoapMessage With(in OptionSet options, ReadOnlyMemory<byte> payload) => new(Type, Code, MessageId, _token, options, payload);

    /// <summary>Returns type, code, message ID, token, options and the length of the payload for logs.</summary>
    public override string ToString() => $"{Type} {Code} ID {MessageId} token [{Token}] options [{Options}] payload {Payload.Length} bytes";
}
