using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Exchanges;

/// <summary>Resolves the hosts of URIs and caches their addresses for a limited time, or until a request fails. Safe for concurrent use.</summary>
/// <param name="lifetime">The time after which a name is resolved again.</param>
/// <param name="time">The clock.</param>
/// <param name="namesInMemory">Maps a host to an endpoint name on an in-memory network.</param>
internal sealed class AddressBook(TimeSpan lifetime, TimeProvider time, Func<string, string>? namesInMemory = null)
{
    private const int MaxNames = 10_000;

    private readonly ConcurrentDictionary<string, Entry> _entries = new(StringComparer.Ordinal);

    public TimeProvider Time => time;

    /// <summary>Returns the addresses of the target's host.</summary>
    /// <exception cref="ArgumentException">The address is link-local without a zone, has a zone without a meaning, or is not in
    /// brackets.</exception>
    /// <exception cref="CoapTransportException">The name has no address, or the zone is not a network interface of this
    /// machine.</exception>
    public async ValueTask<ServerAddresses> ResolveAsync(RequestTarget target, CancellationToken cancellationToken)
    {
        if (TryFind(target, out var known)) { return known; }
        if (CheckedLiteral(target) is { } literal) { return Remember(target, [literal]); }
        try { return Remember(target, await Dns.GetHostAddressesAsync(target.Host, cancellationToken).ConfigureAwait(false)); }
        catch (SocketException exception) { throw Unresolved(target, exception); }
    }

    /// <summary>Returns the addresses of the target's host. Blocks the calling thread.</summary>
    /// <inheritdoc cref="ResolveAsync" path="/exception"/>
    public ServerAddresses Resolve(in RequestTarget target, CancellationToken cancellationToken = default)
    {
        if (TryFind(target, out var known)) { return known; }
        if (CheckedLiteral(target) is { } literal) { return Remember(target, [literal]); }
        try
        {
            // Only the asynchronous form can be canceled.
            var found = cancellationToken.CanBeCanceled
                ? Dns.GetHostAddressesAsync(target.Host, cancellationToken).GetAwaiter().GetResult()
                : Dns.GetHostAddresses(target.Host);
            return Remember(target, found);
        }
        catch (SocketException exception) { throw Unresolved(target, exception); }
    }

    /// <summary>Removes the addresses of the host, so that the next request resolves it again.</summary>
    public void Forget(in RequestTarget target) => _entries.TryRemove(target.Host, out _);

    private static CoapTransportException Unresolved(in RequestTarget target, SocketException exception) =>
        new($"The name '{target.Host}' has no address: {exception.Message}", exception);

    private bool TryFind(in RequestTarget target, out ServerAddresses places)
    {
        var host = target.Host;
        var isKnown = true;
        if (namesInMemory is not null) { places = new ServerAddresses(namesInMemory(host), target.Port); }
        else if (target.Literal is { } literal && AddressZones.IsUnscoped(literal, target.Zone)) { places = new ServerAddresses([literal], target.Port); }
        else
        {
            isKnown = _entries.TryGetValue(host, out var entry) && time.GetElapsedTime(entry.Since) < lifetime;
            places = isKnown ? new ServerAddresses(entry.Addresses, target.Port) : default;
        }
        return isKnown;
    }

    // The platform takes an address for a name, too, and silently drops a zone that it does not know.
    private static IPAddress? CheckedLiteral(in RequestTarget target)
    {
        if (target.Literal is not { } literal)
        {
            return target.Host.Contains(':', StringComparison.Ordinal)
                ? throw new ArgumentException($"The host '{target.Host}' is not a name. Write an IPv6 address in brackets, as in coap://[::1].") : null;
        }
        if (AddressZones.FindOnMachine(literal, target.Zone) is not { } problem) { return literal; }
        var text = $"The address {target.HostName} cannot be used: {problem.Text}.";
        throw problem.Kind == ZoneProblemKind.Unknown ? new CoapTransportException(text) : new ArgumentException(text);
    }

    private ServerAddresses Remember(in RequestTarget target, IPAddress[] found)
    {
        if (found.Length == 0) { throw Unresolved(target, new SocketException((int)SocketError.HostNotFound)); }
        var addresses = Array.Exists(found, AddressZones.LacksZone) ? Array.FindAll(found, address => !address.LacksZone()) : found;
        if (addresses.Length == 0)
        {
            throw new CoapTransportException(
                $"The name '{target.Host}' has no usable address: {AddressZones.Find(found[0], zone: null)?.Text}.");
        }
        if (_entries.Count >= MaxNames) { _entries.Clear(); }
        _entries[target.Host] = new Entry(addresses, time.GetTimestamp());
        return new ServerAddresses(addresses, target.Port);
    }

    private readonly record struct Entry(IPAddress[] Addresses, long Since);
}
