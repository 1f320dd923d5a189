using System.Diagnostics.CodeAnalysis;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Caching;

/// <summary>
/// The resources that a server has told the client to leave alone for a while: by 4.29 (RFC 8516) or 5.03 (RFC 7252, section 5.9.3.4) with Max-Age. Until
/// then, the client answers requests with the same method itself. Safe for concurrent use.
/// </summary>
/// <param name="longest">The longest time; zero if the client does not wait.</param>
/// <param name="time">The clock.</param>
internal sealed class RetryTimes(TimeSpan longest, TimeProvider time)
{
    // If servers refuse more resources at the same time, requests for the others are sent. A single server does not get all the places.
    private const int Most = 1024;
    private const int MostOfOrigin = Most / 4;

    // Of a larger response, only the code is kept.
    private const int LargestKept = 1024;

    private readonly Lock _gate = new();
    private readonly Dictionary<(CacheKey Resource, CoapCode Method), Refusal> _refused = new(SeededComparer<(CacheKey, CoapCode)>.Default);
    private readonly Dictionary<string, int> _ofOrigins = [];
    private volatile bool _isEmpty = true;

    /// <summary>Returns the answer to a request that must not be sent yet. Its Max-Age is the rest of the time.</summary>
    public bool TryFind(in RequestTarget target, [NotNullWhen(true)] out CoapResponse? answer)
    {
        answer = null;
        if (_isEmpty) { return false; }
        var (key, now) = (KeyOf(target), Now);
        lock (_gate)
        {
            if (!_refused.TryGetValue(key, out var refusal)) { return false; }
            if (now >= refusal.Until)
            {
                Remove(key, refusal);
                _isEmpty = _refused.Count == 0;
                return false;
            }
            answer = refusal.AnswerTo(target, now);
            return true;
        }
    }

    /// <summary>Remembers a response that tells the client to wait. Returns the response.</summary>
    public CoapResponse Note(in RequestTarget target, CoapResponse response)
    {
        if (response.RetryAfter is not { } wait || longest == TimeSpan.Zero) { return response; }
        var now = Now;
        var until = now + Math.Min(wait.Ticks, longest.Ticks);
        lock (_gate)
        {
            var key = KeyOf(target);
            if (_refused.TryGetValue(key, out var earlier)) { Remove(key, earlier); }
            if (!HasRoom(target.Origin)) { Sweep(now); }
            if (HasRoom(target.Origin))
            {
                _refused[key] = new(Kept(response), target.Origin, now, until);
                _ofOrigins[target.Origin] = _ofOrigins.GetValueOrDefault(target.Origin) + 1;
            }
            _isEmpty = _refused.Count == 0;
        }
        return response;
    }

    private long Now => time.GetElapsedTime(0).Ticks;

    private static (CacheKey Resource, CoapCode Method) KeyOf(in RequestTarget target) =>
        (CachedCall.CacheRequestOf(target).Resource, target.Request.Method);

    // The payload may be a part of a larger buffer.
    private static CoapResponse Kept(CoapResponse response) =>
        response.Options.Wire.Length + response.Payload.Length > LargestKept
            ? new(response.Code, default, default) { Remote = response.Remote }
            : new(response.Code, response.Options.Without(MaxAge.Declaration.Number), response.Payload.ToArray()) { Remote = response.Remote };

    private bool HasRoom(string origin) => _refused.Count < Most && _ofOrigins.GetValueOrDefault(origin) < MostOfOrigin;

    private void Sweep(long now)
    {
        foreach (var (key, refusal) in _refused)
        {
            if (now >= refusal.Until) { Remove(key, refusal); }
        }
    }

    private void Remove((CacheKey Resource, CoapCode Method) key, Refusal refusal)
    {
        _refused.Remove(key);
        if (--_ofOrigins[refusal.Origin] == 0) { _ofOrigins.Remove(refusal.Origin); }
    }

    private sealed record Refusal(CoapResponse Response, string Origin, long Since, long Until)
    {
        public CoapResponse AnswerTo(in RequestTarget target, long now) => new(
            Response.Code, Response.Options.With(new MaxAge((uint)Math.Ceiling(TimeSpan.FromTicks(Until - now).TotalSeconds))),
            Response.Payload)
        {
            Remote = Response.Remote,
            Asked = target.Request,
            IsFromCache = true,
            Age = TimeSpan.FromTicks(now - Since),
        };
    }
}
