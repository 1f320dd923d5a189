using System.Collections.Concurrent;
using CoAP.Vocabulary;

namespace CoAP.Streams;

/// <summary>Applies the advice of servers that released a connection: another address, or a time to wait (RFC 8323, section 5.5).</summary>
/// <remarks>Safe for concurrent use. An entry is removed when the client has followed the advice, or when its time is over.</remarks>
/// <param name="time">The clock.</param>
/// <param name="allowsOtherHosts">Whether the client follows alternative addresses of other hosts.</param>
/// <param name="log">The log of the client; <see langword="null"/> if ignored addresses are not logged.</param>
internal sealed class StreamRedirects(TimeProvider time, bool allowsOtherHosts = false, EndpointLog? log = null)
{
    // Servers cannot keep a client away for longer.
    private static readonly TimeSpan LongestHoldOff = TimeSpan.FromHours(1);

    private readonly ConcurrentDictionary<StreamTarget, ReconnectAdvice> _advice = new();

    /// <summary>Records the advice of the last connection to the target.</summary>
    public void Record(in StreamTarget target, ReconnectAdvice advice) => _advice[target] = advice;

    /// <summary>
    /// Returns the address of the next connection. An alternative address has the transport of the target, so TLS stays TLS.
    /// If the connection to an alternative address fails, the target itself is next.
    /// </summary>
    /// <exception cref="CoapTransportException">The server has asked clients to wait before they connect again.</exception>
    public StreamTarget Next(in StreamTarget target, out bool isAlternative)
    {
        isAlternative = false;
        if (_advice.IsEmpty || !_advice.TryGetValue(target, out var advice)) { return target; }
        foreach (var authority in advice.AlternativeAddresses)
        {
            if (ReasonToIgnore(target, authority, out var uri) is { } reason)
            {
                LogIgnored(target, authority, reason);
                continue;
            }
            isAlternative = true;
            return target.At(uri!);
        }
        ThrowIfHeldOff(target, advice);
        return target;
    }

    /// <summary>Discards the alternative addresses, which cannot be reached. The time to wait remains.</summary>
    /// <exception cref="CoapTransportException">The server has asked clients to wait before they connect again.</exception>
    public void OnFailed(in StreamTarget target)
    {
        if (!_advice.TryGetValue(target, out var advice)) { return; }
        foreach (var authority in advice.AlternativeAddresses) { LogIgnored(target, authority, "an attempt to connect to an alternative address has failed"); }
        _advice[target] = advice with { AlternativeAddresses = [] };
        ThrowIfHeldOff(target, advice);
    }

    /// <summary>Removes the advice after a connection was opened, unless its time to wait is still running.</summary>
    /// <remarks>A connection to an alternative address does not shorten that time.</remarks>
    public void OnConnected(in StreamTarget target)
    {
        if (_advice.TryGetValue(target, out var advice) && TimeLeft(advice) <= TimeSpan.Zero) { _advice.TryRemove(new(target, advice)); }
    }

    private string? ReasonToIgnore(in StreamTarget target, string authority, out CoapUri? uri)
    {
        if (!CoapUri.TryParse($"{target.Scheme.GetName()}://{authority}", out uri, out _)) { return "it is not a host with an optional port"; }
        if (target.ReasonAgainst(uri) is { } reason) { return reason; }
        return allowsOtherHosts || target.IsHostOf(uri) ? null : "it names another host (ReconnectSettings.AllowsOtherHosts)";
    }

    private void LogIgnored(in StreamTarget target, string authority, string reason)
    {
        if (log is null || !log.TryPass(LogEvent.AlternativeIgnored, null, out var held)) { return; }
        Log.AlternativeIgnored(log.Logger, ForeignText.Clean(authority), target.Peer, reason, held);
    }

    private TimeSpan TimeLeft(ReconnectAdvice advice)
    {
        var holdOff = advice.HoldOff < LongestHoldOff ? advice.HoldOff : LongestHoldOff;
        return holdOff - time.GetElapsedTime(advice.ReceivedAt);
    }

    private void ThrowIfHeldOff(in StreamTarget target, ReconnectAdvice advice)
    {
        var left = TimeLeft(advice);
        if (left > TimeSpan.Zero)
        {
            throw new CoapTransportException(
                $"{target.Peer} has released the connection and asked clients to wait another {left.TotalSeconds:0.#} s before they reconnect "
                + "(Hold-Off, RFC 8323, section 5.5).")
            {
                RetryAfter = left,
            };
        }
        _advice.TryRemove(new(target, advice));
    }
}
