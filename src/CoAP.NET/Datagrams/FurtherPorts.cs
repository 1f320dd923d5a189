using System.Net.Sockets;
using CoAP.Lanes;
using CoAP.Transports;

namespace CoAP.Datagrams;

/// <summary>
/// The local ports that a lane has opened because the message IDs of its other ports were used up (RFC 7252, section 4.4).
/// </summary>
/// <param name="lane">The lane.</param>
/// <param name="transport">The transport of the lane.</param>
/// <param name="most">The most ports that may be open.</param>
internal sealed class FurtherPorts(Lane lane, IDatagramTransport transport, int most)
{
    private readonly List<FurtherPort> _open = [];

    /// <summary>The number of open ports.</summary>
    public int Count => _open.Count;

    /// <summary>The open ports, and at the end one that is opened when the enumeration reaches it, if another one may be open.</summary>
    public IEnumerable<FurtherPort> OpenOrOpened()
    {
        for (var i = 0; i < most; i++)
        {
            if (i == _open.Count && !TryOpen()) { yield break; }
            yield return _open[i];
        }
    }

    /// <summary>Records that a channel uses a port.</summary>
    public static void Take(FurtherPort port) => port.Users++;

    /// <summary>Records that a channel does not use a port any longer. The last one closes it.</summary>
    public void Release(FurtherPort port)
    {
        if (--port.Users > 0) { return; }
        _open.Remove(port);
        // In a turn of its own, because the transport may be receiving from the port, and a security layer may still have to say goodbye.
        lane.Post(new LaneAction(() => transport.ClosePort(port.Number)));
    }

    private bool TryOpen()
    {
        try
        {
            if (transport.OpenPort() is not { Count: > 0 } bound) { return false; }
            _open.Add(new FurtherPort(bound));
            return true;
        }
        catch (SocketException) // The process has no socket left: as if all ports that may be open were.
        {
            return false;
        }
    }
}
