using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The tokens of one body: the same lower half, and an upper half that counts the requests, so that none has to be remembered (RFC 9177, section 6).</summary>
/// <param name="seed">Unpredictable (RFC 7252, section 5.3.1).</param>
internal sealed class TokenSeries(ulong seed)
{
    private const int Half = 32;

    private readonly uint _first = (uint)(seed >> Half);
    private uint _used;

    /// <summary>What all of them have in common.</summary>
    public uint Key { get; } = (uint)seed;

    /// <summary>What the tokens of a series have in common, if this is one.</summary>
    public static uint KeyOf(in Token token) => (uint)token.Inline;

    public Token Next() => new(((ulong)(_first + _used++) << Half) | Key, Token.InlineLength);

    /// <summary>Whether this token was given out.</summary>
    public bool Contains(in Token token) =>
        token.Length == Token.InlineLength && KeyOf(token) == Key && (uint)(token.Inline >> Half) - _first < _used;
}
/// <summary>One message of a robust transfer that is to go out, without type and message ID.</summary>
/// <param name="Code">The method or response code.</param>
/// <param name="Token">The token.</param>
/// <param name="Options">All options.</param>
/// <param name="Payload">The block, or none.</param>
internal readonly record struct RobustPart(CoapCode Code, Token Token, OptionSet Options, ReadOnlyMemory<byte> Payload)
{
    /// <summary>The message.</summary>
    public CoapMessage ToMessage(MessageType type, MessageId messageId) =>
        new() { Type = type, Code = Code, MessageId = messageId, Token = Token, Options = Options, Payload = Payload };
}
