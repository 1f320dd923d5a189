using System.Collections.Concurrent;

namespace CoAP.Streams;

/// <summary>Where to connect to after a server has released a connection: elsewhere, or not before a time (RFC 8323, section 5.5).</summary>
/// <remarks>Safe for concurrent use. A wish is forgotten when it has been followed, or its time is over.</remarks>
internal sealed class StreamRedirects(TimeProvider time)
{
    // A server may not keep a client away for longer than this, whatever it says.
    private static readonly TimeSpan LongestHoldOff = TimeSpan.FromHours(1);

    private readonly ConcurrentDictionary<StreamTarget, Departure> _departures = new();

    /// <summary>The last connection to the target has ended with a wish.</summary>
    public void Note(in StreamTarget target, Departure departure) => _departures[target] = departure;

    /// <summary>Where the next connection for the target goes to, and whether a failure there sends it to the target itself.</summary>
    /// <exception cref="CoapTransportException">The server does not want to be connected to yet.</exception>
    public StreamTarget Next(in StreamTarget target, out bool isElsewhere)
    {
        isElsewhere = false;
        if (_departures.IsEmpty || !_departures.TryGetValue(target, out var departure)) { return target; }
        foreach (var authority in departure.AlternativeAddresses)
        {
            if (!CoapUri.TryParse($"{target.Scheme.GetName()}://{authority}", out var uri, out _)) { continue; }
            isElsewhere = true;
            return target.At(uri);
        }
        ThrowIfHeldOff(target, departure);
        return target;
    }

    /// <summary>The alternative could not be reached: what is left is the wish not to come back yet.</summary>
    /// <exception cref="CoapTransportException">The server does not want to be connected to yet.</exception>
    public void HasFailed(in StreamTarget target)
    {
        if (!_departures.TryGetValue(target, out var departure)) { return; }
        _departures[target] = departure with { AlternativeAddresses = [] };
        ThrowIfHeldOff(target, departure);
    }

    /// <summary>A connection is there: the wish was followed. Being connected elsewhere does not shorten the time for which not to come back.</summary>
    public void HasConnected(in StreamTarget target)
    {
        if (_departures.TryGetValue(target, out var departure) && TimeLeft(departure) <= TimeSpan.Zero) { _departures.TryRemove(new(target, departure)); }
    }

    private TimeSpan TimeLeft(Departure departure)
    {
        var holdOff = departure.HoldOff < LongestHoldOff ? departure.HoldOff : LongestHoldOff;
        return holdOff - time.GetElapsedTime(departure.At);
    }

    private void ThrowIfHeldOff(in StreamTarget target, Departure departure)
    {
        var left = TimeLeft(departure);
        if (left > TimeSpan.Zero)
        {
            throw new CoapTransportException(
                $"{target.Peer} has released the connection and asked not to be connected to for another {left.TotalSeconds:0.#} s (Hold-Off, RFC 8323, section 5.5).")
            {
                RetryAfter = left,
            };
        }
        _departures.TryRemove(new(target, departure));
    }
}
