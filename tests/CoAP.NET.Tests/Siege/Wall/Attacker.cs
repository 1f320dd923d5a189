using System.Net;

namespace CoAP.Tests.Siege.Wall;

/// <summary>Those who besiege the server.</summary>
internal enum AttackerKind
{
    /// <summary>Any number of addresses, none of which answers.</summary>
    Forged,

    /// <summary>One address with many ports, which has proven itself.</summary>
    Verified,

    /// <summary>Many connections of one address.</summary>
    Connections,
}

/// <summary>An attacker, who asks from ever new ports or addresses.</summary>
internal sealed class Attacker(AttackerKind kind, Fortress fortress) : IDisposable
{
    private static readonly IPAddress OwnAddress = IPAddress.Parse("192.0.2.1");

    private readonly List<Guest> _guests = [];

    /// <summary>Asks from a new port or address. Returns the response, or "" if there is none yet.</summary>
    public async Task<string> AskAsync(string request)
    {
        var count = _guests.Count + 1;
        var address = kind == AttackerKind.Forged ? new IPAddress([203, 0, (byte)(count >> 8), (byte)count]) : OwnAddress;
        var guest = await fortress.AdmitAsync(new IPEndPoint(address, 10_000 + count));
        _guests.Add(guest);
        if (kind == AttackerKind.Verified) { await guest.ProveAsync(); }
        return await guest.AskAsync(request);
    }

    public void Dispose() => _guests.ForEach(static guest => guest.Dispose());
}
