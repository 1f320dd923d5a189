using System.Net;
using System.Net.Sockets;
using CoAP.Transports;
using Microsoft.Extensions.Logging;

namespace CoAP.Mesh;

/// <summary>Where a server accepts connections, and what becomes of them.</summary>
internal sealed class StreamListener : ITcpAcceptorEvents, IDisposable
{
    private readonly CoapServerSettings _settings;
    private readonly StreamConnections _connections;
    private readonly TcpConnectionLimits _limits;
    private readonly ILogger _logger;
    private readonly List<TcpAcceptor> _acceptors = [];

    public StreamListener(CoapServerSettings settings, StreamConnections connections)
    {
        (_settings, _connections) = (settings, connections);
        _limits = new TcpConnectionLimits(settings.Tcp, IsBlocking);
        _logger = settings.LoggerFactory.CreateLogger("CoAP");
    }

    public IEnumerable<IPEndPoint> LocalEndPoints => _acceptors.Select(acceptor => acceptor.LocalEndPoint);

    private bool IsBlocking => _settings.Mode == ServerMode.Sync;

    /// <summary>Binds, but accepts nothing yet.</summary>
    /// <param name="places">Where; on port 0 the wished port is tried first.</param>
    /// <param name="wish">The port that the datagrams have, so that both transports share one; 0 for none.</param>
    /// <exception cref="SocketException">An address is in use, or not ours.</exception>
    public void Bind(IReadOnlyList<IPEndPoint> places, int wish)
    {
        var servesAll = _settings.Udp.DualMode && !places.Any(place => place.Address.Equals(IPAddress.Any));
        foreach (var place in places)
        {
            var isDual = servesAll && place.Address.Equals(IPAddress.IPv6Any);
            var acceptor = place.Port != 0 ? Listen(place, isDual) : ListenAnywhere(place.Address, isDual, wish);
            _acceptors.Add(acceptor);
            if (place.Port == 0) { wish = acceptor.LocalEndPoint.Port; }
        }
    }

    public void Start() => _acceptors.ForEach(static acceptor => acceptor.Start());

    public void OnAccepted(IStreamConnection connection) => _connections.Adopt(connection);

    public void OnRefused(PeerIdentity peer, int limit) => Log.ConnectionRefused(_logger, limit);

    public void OnAcceptFailed(SocketError error) => Log.AcceptFailed(_logger, error);

    public void Dispose() => _acceptors.ForEach(static acceptor => acceptor.Dispose());

    private TcpAcceptor ListenAnywhere(IPAddress address, bool isDual, int wish)
    {
        try { return Listen(new IPEndPoint(address, wish), isDual); }
        catch (SocketException exception) when (wish != 0 && exception.SocketErrorCode == SocketError.AddressAlreadyInUse)
        {
            return Listen(new IPEndPoint(address, 0), isDual);
        }
    }

    private TcpAcceptor Listen(IPEndPoint place, bool isDual) => IsBlocking
        ? new TcpBlockingAcceptor(place, isDual, _settings.Tcp, _limits, this)
        : new TcpAsyncAcceptor(place, isDual, _settings.Tcp, _limits, this, _settings.TimeProvider);
}
