using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The tokens of one body. All share the lower half; the upper half counts the requests, so that tokens need not be stored (RFC 9177,
/// section 6).</summary>
/// <param name="seed">An unpredictable number (RFC 7252, section 5.3.1).</param>
internal sealed class TokenSeries(ulong seed)
{
    private const int Half = 32;

    private readonly uint _first = (uint)(seed >> Half);
    private uint _used;

    /// <summary>The half that all tokens share.</summary>
    public uint Key { get; } = (uint)seed;

    /// <summary>Returns the shared half of a token of a series.</summary>
    public static uint KeyOf(in Token token) => (uint)token.Inline;

    /// <summary>The number of tokens that were created.</summary>
    public uint Used => _used;

    public Token Next() => new(((ulong)(_first + _used++) << Half) | Key, Token.InlineLength);

    /// <summary>Returns whether the series contains the token.</summary>
    public bool Contains(in Token token) =>
        token.Length == Token.InlineLength && KeyOf(token) == Key && IndexOf(token) < _used;

    /// <summary>Returns whether the token is one of the series and was created after this many others.</summary>
    public bool ContainsAfter(uint used, in Token token) => Contains(token) && IndexOf(token) >= used;

    private uint IndexOf(in Token token) => (uint)(token.Inline >> Half) - _first;
}
/// <summary>A message of a robust transfer to be sent, without type and message ID.</summary>
/// <param name="Code">The method or response code.</param>
/// <param name="Token">The token.</param>
/// <param name="Options">All options.</param>
/// <param name="Payload">The block, or empty.</param>
internal readonly record struct RobustPart(CoapCode Code, Token Token, OptionSet Options, ReadOnlyMemory<byte> Payload)
{
    /// <summary>Creates the message.</summary>
    public CoapMessage ToMessage(MessageType type, MessageId messageId) => new(type, Code, messageId, Token, Options, Payload);
}
