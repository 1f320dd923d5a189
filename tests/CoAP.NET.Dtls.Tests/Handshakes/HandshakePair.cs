using System.Text;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>A client and a server that shake hands over a network of the test, in simulated time.</summary>
internal sealed class HandshakePair : IDisposable
{
    private static readonly PeerIdentity Address = PeerIdentity.FromIPv4(0x0A000001, 5000);

    private readonly OpenSslCipher _cipher = new();
    private readonly SslContext _clientContext;
    private readonly Random _random;
    private readonly PriorityQueue<(bool ToServer, byte[] Datagram), (long At, int Order)> _network = new();
    private readonly ServerEnd _server;
    private readonly OpenSslHandshake _clientSide;
    private int _order;

    /// <summary>A pair with pre-shared keys.</summary>
    public HandshakePair(string ciphers = "PSK-AES128-CCM8", int seed = 1, bool usesIds = true, HandshakeSettings? settings = null)
        : this(SslContext.ForPreSharedKeys(isServer: true, ciphers), SslContext.ForPreSharedKeys(isServer: false, ciphers), null, null, seed, usesIds, settings)
    {
        _clientSide.PskIdentity = Encoding.UTF8.GetBytes("device-7");
        Keys["device-7"] = [1, 2, 3, 4, 5, 6, 7, 8];
        _clientSide.PskKey = [.. Keys["device-7"]];
    }

    /// <summary>A pair with certificates.</summary>
    public HandshakePair(
        SslContext server, SslContext client, CertificateCheck? ofServer, CertificateCheck? ofClient, int seed = 1, bool usesIds = true,
        HandshakeSettings? settings = null)
    {
        _random = new Random(seed);
        settings ??= new HandshakeSettings();
        _server = new ServerEnd(_cipher, server, usesIds, settings) { Check = ofServer };
        _clientContext = client;
        _clientSide = new OpenSslHandshake(_clientContext, usesIds ? ReadOnlyMemory<byte>.Empty : null) { Peer = new() { Certificates = ofClient } };
        Client = new HandshakeMachine(_clientSide, _cipher, settings, isServer: false);
    }

    public long Now { get; private set; }

    public HandshakeMachine Client { get; }

    /// <summary>The handshake of the server, once a cookie has come back.</summary>
    public HandshakeMachine? Server => _server.Machine;

    /// <summary>The keys that the server knows.</summary>
    public Dictionary<string, byte[]> Keys => _server.Keys;

    /// <summary>The probability that a datagram is lost, that it arrives twice, and that it is delayed.</summary>
    public (double Loss, double Duplication, double Delay) Faults { get; init; }

    /// <summary>Whether somebody sends a fatal alert to both sides behind each datagram.</summary>
    public bool ForgesAlerts { get; init; }

    /// <summary>Whether somebody sends a Finished in the clear to the server behind each datagram.</summary>
    public bool ForgesFinished { get; init; }

    /// <summary>Whether somebody sends a record of the new epoch to the server behind each datagram.</summary>
    public bool ForgesSealed { get; init; }

    /// <summary>The largest datagram that the network takes, in bytes. Others are lost.</summary>
    public int MostBytes { get; init; } = int.MaxValue;

    /// <summary>Datagrams of the server that are lost, counted from 1.</summary>
    public HashSet<int> LostToClient { get; } = [];

    /// <summary>Datagrams of the client that are lost, counted from 1.</summary>
    public HashSet<int> LostToServer { get; } = [];

    /// <summary>The datagrams of both sides, in the order in which they were sent.</summary>
    public List<(bool ToServer, byte[] Datagram)> Sent { get; } = [];

    public OpenSslHandshake ClientSide => _clientSide;

    public OpenSslHandshake? ServerSide => _server.Side;

    public CipherSuite? Suite => _clientSide.Suite;

    /// <summary>Runs until both sides are done or one has failed and nothing is left to do.</summary>
    /// <param name="mostSteps">The most arrivals and retransmissions.</param>
    public void Run(int mostSteps = int.MaxValue)
    {
        Client.OnBegun();
        ServerEnd.Compute(Client, _clientSide.Begin, Now);
        Deliver(Client, toServer: true);
        var limit = TimeSpan.FromMinutes(10).Ticks;
        for (var step = 0; step < mostSteps && Now < limit && Step(); step++)
        {
        }
    }

    /// <summary>Sends a record of application data, and returns what the other side reads.</summary>
    public string? Exchange(string text, bool toServer)
    {
        var (from, to) = toServer ? (Client, Server!) : (Server!, Client);
        var record = new byte[from.Session!.LengthOf(text.Length)];
        from.Session.Seal(_cipher, ContentType.ApplicationData, Encoding.ASCII.GetBytes(text), record);
        var rest = record.AsSpan();
        return DtlsRecord.TryRead(ref rest, to.Session!.Ids.Own.Length, out var read) && to.Session.Open(_cipher, read, out _, out var content) == RecordVerdict.Newest
            ? Encoding.ASCII.GetString(content) : null;
    }

    public void Dispose()
    {
        _clientSide.Dispose();
        _server.Dispose();
        _clientContext.Dispose();
        _cipher.Dispose();
    }

    private bool Step()
    {
        var arrival = _network.TryPeek(out _, out var next) ? next.At : long.MaxValue;
        var deadline = Math.Min(Client.Deadline, Server?.Deadline ?? long.MaxValue);
        if (Math.Min(arrival, deadline) == long.MaxValue) { return false; }
        Now = Math.Max(Now, Math.Min(arrival, deadline));
        if (arrival <= deadline)
        {
            var (toServer, datagram) = _network.Dequeue();
            if (toServer) { _server.OnDatagram(datagram, Address, Now, answer => Send(answer, toServer: false)); }
            else { OnClient(datagram); }
        }
        else
        {
            Client.OnDeadline(Now);
            Server?.OnDeadline(Now);
        }
        Deliver(Client, toServer: true);
        if (Server is not null) { Deliver(Server, toServer: false); }
        return true;
    }

    private void OnClient(byte[] datagram)
    {
        var rest = datagram.AsSpan();
        while (DtlsRecord.TryRead(ref rest, 0, out var record)) { Client.OnRecord(record, Now); }
        while (Client.NextMessage() is { } message) { ServerEnd.Compute(Client, () => _clientSide.Feed(message), Now); }
    }

    private void Deliver(HandshakeMachine machine, bool toServer)
    {
        while (machine.TryNextDatagram(out var datagram)) { Send(datagram.ToArray(), toServer); }
    }

    private void Send(byte[] datagram, bool toServer)
    {
        Sent.Add((toServer, datagram));
        for (var copies = _random.NextDouble() < Faults.Duplication ? 2 : 1; copies > 0; copies--)
        {
            var isLost = datagram.Length > MostBytes || (toServer ? LostToServer : LostToClient)
                .Contains(Sent.Count(one => one.ToServer == toServer));
            if (_random.NextDouble() < Faults.Loss || isLost) { continue; }
            var delay = TimeSpan.FromMilliseconds(_random.NextDouble() < Faults.Delay ? _random.Next(20, 2000) : 20).Ticks;
            _network.Enqueue((toServer, (byte[])datagram.Clone()), (Now + delay, _order++));
        }
        if (ForgesFinished) { _network.Enqueue((true, TestSupport.Hex.Bytes("16 FEFD 0000 000000000070 0018  14 00000C 0003 000000 00000C 000102030405060708090A0B")), (Now + 1, _order++)); }
        if (ForgesSealed)
        {
            var sealed24 = TestSupport.Hex.Bytes("16 FEFD 0001 000000000070 0018 000102030405060708090A0B0C0D0E0F1011121314151617");
            _network.Enqueue((true, sealed24), (Now + 1, _order++));
        }
        if (!ForgesAlerts) { return; }
        byte[] alert = [21, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0x70, 0, 0, 2, 2, 40];
        foreach (var side in new[] { true, false }) { _network.Enqueue((side, (byte[])alert.Clone()), (Now + 1, _order++)); }
    }
}
