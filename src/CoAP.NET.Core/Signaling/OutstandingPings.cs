namespace CoAP.Signaling;

/// <summary>Our Pings that were not answered yet.</summary>
internal struct OutstandingPings
{
    /// <summary>The most that are remembered.</summary>
    public const int Limit = 16;

    private const int TokenLength = sizeof(ushort);

    private List<(Token Token, long SentAt)>? _sent;
    private ushort _last;

    public readonly bool IsFull => _sent?.Count >= Limit;

    /// <summary>Remembers a Ping and answers its token; where there is no room the oldest one is forgotten.</summary>
    public Token Add(long now)
    {
        _sent ??= new(1);
        if (IsFull) { _sent.RemoveAt(0); }
        var token = new Token(++_last, TokenLength);
        _sent.Add((token, now));
        return token;
    }

    /// <summary>Takes out the Ping with the token; <see langword="false"/> for a Pong that nobody asked for.</summary>
    public readonly bool TryTake(Token token, out long sentAt)
    {
        var index = _sent?.FindIndex(ping => ping.Token == token) ?? -1;
        sentAt = index < 0 ? 0 : _sent![index].SentAt;
        if (index >= 0) { _sent!.RemoveAt(index); }
        return index >= 0;
    }
}
