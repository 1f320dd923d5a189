using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>The format of our connection IDs: the prefix of the settings, the number of the lane, and random bytes.</summary>
/// <remarks>The length is not on the wire, so all IDs of an endpoint have the same length.</remarks>
/// <param name="length">The length of an ID in bytes; 0 if the records of the peers have none.</param>
/// <param name="prefix">The bytes in front of all IDs.</param>
internal sealed class ConnectionIdFormat(int length, ReadOnlyMemory<byte> prefix)
{
    private const int NameLength = 8, LeastRandom = 3;      // enough for the sessions of a lane

    /// <summary>Returns the format of an endpoint.</summary>
    /// <exception cref="InvalidOperationException">The prefix leaves too little room.</exception>
    public static ConnectionIdFormat Of(DtlsSettings settings)
    {
        var (length, prefix) = (settings.ConnectionIdLength ?? 0, settings.ConnectionIdPrefix);
        if (length > 0 && length < prefix.Length + 1 + LeastRandom)
        {
            throw new InvalidOperationException(
                $"ConnectionIdPrefix has {prefix.Length} bytes, so ConnectionIdLength must be at least {prefix.Length + 1 + LeastRandom} and not {length}: "
                + $"the prefix is followed by the number of the lane and at least {LeastRandom} random bytes.");
        }
        return new ConnectionIdFormat(length, prefix);
    }

    /// <summary>The length of an ID in bytes.</summary>
    public int Length => length;

    /// <summary>Creates an unpredictable ID. Without connection IDs, it only names a session and is never sent.</summary>
    public byte[] Create(byte lane)
    {
        var id = RandomNumberGenerator.GetBytes(length == 0 ? NameLength : length);
        prefix.Span.CopyTo(id);
        id[prefix.Length] = lane;
        return id;
    }

    /// <summary>Returns the number of the lane in an ID. Another process may have had more lanes.</summary>
    public byte LaneOf(ReadOnlySpan<byte> id) => id.Length > prefix.Length ? id[prefix.Length] : (byte)0;
}
