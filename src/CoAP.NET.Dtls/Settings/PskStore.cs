using System.Collections.Concurrent;
using CoAP.Dtls;

namespace CoAP;

/// <summary>Creates stores of pre-shared keys.</summary>
public static class PskStore
{
    /// <summary>Creates a store with these keys.</summary>
    /// <exception cref="ArgumentException">Two keys have the same identity.</exception>
    /// <exception cref="ArgumentNullException">A key is <see langword="null"/>.</exception>
    public static IPskStore From(params IEnumerable<PreSharedKey> keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        var copies = new ConcurrentDictionary<string, byte[]>(StringComparer.Ordinal);      // by the digits of the identities, which need not be text
        foreach (var key in keys)
        {
            if (key is null) { throw new ArgumentNullException(nameof(keys), "keys contains null; each element requires a value."); }
            if (!copies.TryAdd(Convert.ToHexString(key.IdentityBytes.Span), key.CopyKey())) { throw new ArgumentException($"There are two keys with the identity '{key}'.", nameof(keys)); }
        }
        return new Calling((request, _) => new(copies.GetValueOrDefault(Convert.ToHexString(request.IdentityBytes.Span))));
    }

    /// <summary>Creates a store with a copy of these keys, by their identities.</summary>
    /// <exception cref="ArgumentException">An identity or a key is not allowed (<see cref="PreSharedKey(string, ReadOnlySpan{byte})"/>).</exception>
    public static IPskStore From(IReadOnlyDictionary<string, byte[]> keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        return From(keys.Select(static one => new PreSharedKey(one.Key, one.Value)));
    }

    /// <summary>Creates a store that calls a function. It does not know identities that are not text.</summary>
    /// <param name="find">Returns the key of an identity; <see langword="null"/> if there is none. It may be called for several clients at the same time.</param>
    public static IPskStore From(Func<string, byte[]?> find)
    {
        ArgumentNullException.ThrowIfNull(find);
        return new Calling((request, _) => new(IsText(request) ? find(request.Identity) : null));
    }

    /// <summary>Creates a store that calls an asynchronous function. It does not know identities that are not text.</summary>
    /// <inheritdoc cref="From(Func{string, byte[]})" path="/param"/>
    public static IPskStore From(Func<string, CancellationToken, ValueTask<byte[]?>> find)
    {
        ArgumentNullException.ThrowIfNull(find);
        return new Calling((request, cancellationToken) => IsText(request) ? find(request.Identity, cancellationToken) : new((byte[]?)null));
    }

    // The text of others is empty, which could be the name of a key.
    private static bool IsText(in PskRequest request) => KeyIdentity.TryRead(request.IdentityBytes.Span, out _);

    private sealed class Calling(Func<PskRequest, CancellationToken, ValueTask<byte[]?>> find) : IPskStore
    {
        public ValueTask<byte[]?> FindAsync(PskRequest request, CancellationToken cancellationToken) => find(request, cancellationToken);
    }
}
