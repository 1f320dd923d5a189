using CoAP.Serialization;

namespace CoAP.Dtls;

/// <summary>
/// The sessions in which the requests of a server have come, so that their acknowledgements and responses take the same one (RFC 7252, section 9.1.2).
/// </summary>
/// <remarks>The oldest requests are forgotten, and their responses are then allowed in each session: a device gets few requests.</remarks>
internal sealed class ReceivedRequests
{
    private const int Most = 1024;

    private readonly OrderedDictionary<Token, int> _byToken = [];
    private readonly OrderedDictionary<MessageId, int> _byId = [];

    public bool IsEmpty => _byToken.Count == 0;

    /// <summary>Records a message of the server that is neither an acknowledgement nor a Reset.</summary>
    public void Note(ReadOnlySpan<byte> message, MessageId id, int session)
    {
        if (new CoapCode(message[1]).IsRequest)
        {
            Set(_byId, id, session);
            Set(_byToken, TokenOf(message), session);
        }
        else if (_byId.Count > 0) { _byId.Remove(id); }     // the server uses the number again
    }

    /// <summary>Returns whether a message answers one of an earlier session.</summary>
    public bool Forbids(ReadOnlySpan<byte> message, int session) => !IsEmpty
        && (DatagramHeader.ReadType(message) is MessageType.Acknowledgement or MessageType.Reset
            ? _byId.TryGetValue(DatagramHeader.ReadMessageId(message), out var stamp) && stamp != session
            : _byToken.TryGetValue(TokenOf(message), out stamp) && stamp != session);

    /// <summary>Returns the token of a message; none if it is malformed.</summary>
    public static Token TokenOf(ReadOnlySpan<byte> message)
    {
        var rest = message[DatagramHeader.Length..];
        var nibble = message[0] & 15;
        var (extra, length) = nibble switch
        {
            13 when rest.Length > 0 => (1, 13 + rest[0]),
            14 when rest.Length > 1 => (2, 269 + (rest[0] << 8) + rest[1]),
            _ => (0, nibble),
        };
        return rest.Length >= extra + length ? new Token(rest.Slice(extra, length)) : Token.Empty;
    }

    private static void Set<TKey>(OrderedDictionary<TKey, int> stamps, TKey key, int session)
        where TKey : notnull
    {
        if (stamps.TryAdd(key, session)) { if (stamps.Count > Most) { stamps.RemoveAt(0); } }
        else { stamps[key] = session; }
    }
}
