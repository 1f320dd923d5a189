using System.Collections.Concurrent;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>Keeps the events of an acceptor.</summary>
internal sealed class AcceptRecorder : ITcpAcceptorEvents, IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly BlockingCollection<IStreamConnection> _accepted = [];
    private readonly ConcurrentBag<IStreamConnection> _all = [];

    public BlockingCollection<(PeerIdentity Peer, int Limit)> Refused { get; } = [];

    public BlockingCollection<SocketError> Failed { get; } = [];

    /// <summary>Whether to fail on the next connection, as if the process had no descriptor left.</summary>
    public bool FailsOnNext { get; set; }

    public IStreamConnection Next()
    {
        _accepted.TryTake(out var connection, Patience).Should().BeTrue("a connection should have been accepted");
        return connection!;
    }

    public (PeerIdentity Peer, int Limit) NextRefused()
    {
        Refused.TryTake(out var refused, Patience).Should().BeTrue("a connection should have been refused");
        return refused;
    }

    /// <summary>Waits until the next connection is accepted or refused, and takes it.</summary>
    public bool IsNextAccepted()
    {
        var isThere = SpinWait.SpinUntil(() => _accepted.Count + Refused.Count > 0, Patience);
        isThere.Should().BeTrue("a connection should have been accepted or refused");
        return !Refused.TryTake(out _) && _accepted.TryTake(out _);
    }

    public void OnAccepted(IStreamConnection connection)
    {
        if (FailsOnNext)
        {
            FailsOnNext = false;
            throw new SocketException((int)SocketError.TooManyOpenSockets);
        }
        _all.Add(connection);
        _accepted.Add(connection);
    }

    public void OnRefused(PeerIdentity peer, ConnectionLimit limit) => Refused.Add((peer, (int)limit.Count));

    public void OnHandshakeFailed(PeerIdentity peer, Exception error) => throw new InvalidOperationException("The connections of these tests are plain.", error);

    public void OnAcceptFailed(SocketError error) => Failed.Add(error);

    public void Dispose()
    {
        foreach (var connection in _all) { connection.Dispose(); }
    }
}
