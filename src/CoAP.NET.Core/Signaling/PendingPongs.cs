using CoAP.Options;

namespace CoAP.Signaling;

/// <summary>Counts the requests of the peer in progress and keeps the Pongs that wait for them (RFC 8323, section 5.4.1).</summary>
/// <remarks>
/// A Ping with Custody waits for the requests before it and not for later ones. Otherwise steady traffic would delay its Pong forever. Requests
/// are therefore counted by generation, and each Ping that has to wait ends a generation.
/// </remarks>
internal struct PendingPongs
{
    /// <summary>The most Pongs that wait. A further Ping is answered immediately without Custody, which is allowed (RFC 8323, section 5.4.1).</summary>
    public const int Limit = 8;

    private List<Waiting>? _waiting;
    private int _generation;
    private int _sinceLastPing;

    /// <summary>The number of requests that have not finished.</summary>
    public int InProgress { get; private set; }

    /// <summary>Counts a request and returns its generation.</summary>
    public int Start()
    {
        InProgress++;
        _sinceLastPing++;
        return _generation;
    }

    /// <summary>Returns the Pong to send now, or <see langword="null"/> if it has to wait.</summary>
    public CoapMessage? Answer(CoapMessage ping)
    {
        var custody = ping.Options.Get<Custody>() is not null;
        if (!custody || InProgress == 0) { return SignalMessages.Pong(ping.Token, custody); }
        _waiting ??= [];
        if (_waiting.Count == Limit) { return SignalMessages.Pong(ping.Token, custody: false); }
        _waiting.Add(new Waiting(ping.Token, _generation, _sinceLastPing));
        _generation++;
        _sinceLastPing = 0;
        return null;
    }

    /// <summary>Counts a request as finished and returns the Pongs that no longer wait, in the order of their Pings.</summary>
    /// <exception cref="InvalidOperationException">No request of this generation is in progress.</exception>
    public IReadOnlyList<CoapMessage> Finish(int generation)
    {
        if (!TryCountDown(generation)) { throw new InvalidOperationException($"No request of generation {generation} is in progress."); }
        InProgress--;
        if (_waiting is null || _waiting.Count == 0 || _waiting[0].Requests > 0) { return []; }
        var pongs = new List<CoapMessage>();
        while (pongs.Count < _waiting.Count && _waiting[pongs.Count].Requests == 0)
        {
            pongs.Add(SignalMessages.Pong(_waiting[pongs.Count].Token, custody: true));
        }
        _waiting.RemoveRange(0, pongs.Count);
        return pongs;
    }

    private bool TryCountDown(int generation)
    {
        if (generation == _generation) { return _sinceLastPing > 0 && _sinceLastPing-- > 0; }
        var index = _waiting?.FindIndex(waiting => waiting.Generation == generation) ?? -1;
        if (index < 0 || _waiting![index].Requests == 0) { return false; }
        _waiting[index] = _waiting[index] with { Requests = _waiting[index].Requests - 1 };
        return true;
    }

    private readonly record struct Waiting(Token Token, int Generation, int Requests);
}
