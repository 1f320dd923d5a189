using System.ComponentModel;
using CoAP.Lanes;
using CoAP.Transports;

namespace CoAP.Datagrams;

/// <summary>The local ports that a lane has opened because the message IDs of its other ports were used up (RFC 7252, section 4.4).</summary>
/// <param name="lane">The lane.</param>
/// <param name="transport">The transport of the lane.</param>
/// <param name="most">The most ports that may be open.</param>
internal sealed class FurtherPorts(Lane lane, IDatagramTransport transport, int most)
{
    private static readonly TimeSpan PauseAfterFailure = TimeSpan.FromSeconds(1);

    private readonly List<FurtherPort> _open = [];
    private long _pausedUntil;

    /// <summary>The open ports.</summary>
    public IReadOnlyList<FurtherPort> Open => _open;

    /// <summary>Returns whether a local port is one of the lane.</summary>
    public bool HasPort(int number) =>
        transport.LocalEndPoints.Any(bound => bound.Port == number) || _open.Exists(port => port.Number == number);

    /// <summary>Opens another port. Returns <see langword="null"/> if no other may be open, or the system has none.</summary>
    public FurtherPort? TryOpen()
    {
        if (_open.Count >= most || lane.Now < _pausedUntil) { return null; }
        try
        {
            if (transport.OpenPort() is { Count: > 0 } bound)
            {
                var port = new FurtherPort(bound);
                _open.Add(port);
                return port;
            }
        }
        catch (Exception exception) when (exception is Win32Exception or IOException)
        {
            // The process has no socket left, or the interfaces cannot be listed: as if all ports that may be open were.
        }
        _pausedUntil = lane.After(PauseAfterFailure);
        return null;
    }

    /// <summary>Closes a port that no channel uses.</summary>
    public void Release(FurtherPort port)
    {
        if (port.Users > 0) { return; }
        _open.Remove(port);
        // In a turn of its own, because the transport may be receiving from the port, and a security layer may still have to say goodbye.
        lane.Post(new LaneAction(() => transport.ClosePort(port.Bound)));
    }
}
