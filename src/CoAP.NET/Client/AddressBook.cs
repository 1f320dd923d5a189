using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Client;

/// <summary>The addresses of names: resolved once, used for a while, resolved anew after a failure. Bounded; safe for concurrent use.</summary>
internal sealed class AddressBook(TimeSpan lifetime, TimeProvider time)
{
    private const int MaxNames = 10_000;

    private readonly ConcurrentDictionary<string, Entry> _entries = new(StringComparer.Ordinal);

    /// <exception cref="CoapTransportException">The name has no address.</exception>
    public async ValueTask<IReadOnlyList<IPAddress>> ResolveAsync(string host, CancellationToken cancellationToken)
    {
        if (TryFind(host, out var known)) { return known; }
        try
        {
            return Remember(host, await Dns.GetHostAddressesAsync(host, cancellationToken).ConfigureAwait(false));
        }
        catch (SocketException exception)
        {
            throw Unresolved(host, exception);
        }
    }

    /// <exception cref="CoapTransportException">The name has no address.</exception>
    public IReadOnlyList<IPAddress> Resolve(string host)
    {
        if (TryFind(host, out var known)) { return known; }
        try
        {
            return Remember(host, Dns.GetHostAddresses(host));
        }
        catch (SocketException exception)
        {
            throw Unresolved(host, exception);
        }
    }

    /// <summary>Notes that a request to the name failed, so that the next one asks for its addresses again. Always true, for exception filters.</summary>
    public bool HasFailed(string host, CoapException failure)
    {
        if (failure is CoapTransportException { RetryAfter: null } or CoapTimeoutException) { _entries.TryRemove(host, out _); }
        return true;
    }

    private static CoapTransportException Unresolved(string host, SocketException exception) =>
        new($"The name '{host}' has no address: {exception.Message}", exception);

    private bool TryFind(string host, out IReadOnlyList<IPAddress> addresses)
    {
        if (IPAddress.TryParse(host, out var literal))
        {
            addresses = [literal];
            return true;
        }
        var isKnown = _entries.TryGetValue(host, out var entry) && time.GetElapsedTime(entry.Since) < lifetime;
        addresses = isKnown ? entry.Addresses : [];
        return isKnown;
    }

    private IPAddress[] Remember(string host, IPAddress[] addresses)
    {
        if (addresses.Length == 0) { throw Unresolved(host, new SocketException((int)SocketError.HostNotFound)); }
        if (_entries.Count >= MaxNames) { _entries.Clear(); }
        _entries[host] = new Entry(addresses, time.GetTimestamp());
        return addresses;
    }

    private readonly record struct Entry(IReadOnlyList<IPAddress> Addresses, long Since);
}
