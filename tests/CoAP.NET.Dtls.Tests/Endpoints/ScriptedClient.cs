using System.Net;
using System.Text;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>A client of a wire whose handshake the test takes step by step.</summary>
internal sealed class ScriptedClient : IDisposable
{
    private readonly SslContext _context = SslContext.ForPreSharedKeys(isServer: false, "PSK-AES128-CCM8");
    private readonly OpenSslCipher _cipher = new();
    private readonly ScriptedPeer _peer;
    private OpenSslHandshake? _side;
    private HandshakeMachine? _machine;
    private int _read;

    public ScriptedClient(Wire wire, string name = "device") => _peer = ScriptedPeer.Client(wire, name);

    public ScriptedClient(Wire wire, IPEndPoint address) => _peer = ScriptedPeer.Client(wire, address);

    public byte[] Identity { get; init; } = Encoding.UTF8.GetBytes("device-7");

    public byte[] Key { get; init; } = Encoding.UTF8.GetBytes("a key of 16 bytes");

    /// <summary>The session that it resumes; <see langword="null"/> for a full handshake.</summary>
    public byte[]? Earlier { get; init; }

    /// <summary>Whether the handshake that runs resumes a session.</summary>
    public bool IsResumed => _side!.IsResumed;

    /// <summary>The session of the handshake, for another one that resumes it.</summary>
    public byte[] Resumable => _side!.ExportForResumption()!;

    /// <summary>The largest datagram of the client in bytes.</summary>
    public int MaxDatagram { get; init; } = 1200;

    /// <summary>The handshake that runs.</summary>
    public HandshakeMachine Machine => _machine ?? throw new InvalidOperationException("No handshake has begun.");

    /// <summary>All datagrams that have arrived.</summary>
    public IReadOnlyList<byte[]> Received => _peer.Received;

    /// <summary>Begins a handshake, with new random bytes.</summary>
    public void Begin()
    {
        _side?.Dispose();
        _side = new OpenSslHandshake(_context, null) { PskIdentity = Identity, PskKey = [.. Key] };
        _machine = new HandshakeMachine(_side, _cipher, new HandshakeSettings { MaxDatagram = MaxDatagram }, isServer: false);
        _machine.OnBegun();
        if (Earlier is not null) { _side.Resume(Earlier); }
        _side.Begin();
        _machine.OnFed(null, now: 0);
    }

    /// <summary>Sends the next datagrams of the handshake, at most so many.</summary>
    public void Send(int most = int.MaxValue)
    {
        for (var i = 0; i < most && Machine.TryNextDatagram(out var datagram); i++) { _peer.Send(datagram.ToArray()); }
        while (Machine.TryNextDatagram(out _))
        {
        }
    }

    /// <summary>Sends any bytes.</summary>
    public void Send(byte[] datagram) => _peer.Send(datagram);

    /// <summary>Processes what has arrived since the last call.</summary>
    public void Receive()
    {
        _peer.TakeAll(0);
        for (; _read < _peer.Received.Count; _read++)
        {
            var rest = ((byte[])_peer.Received[_read].Clone()).AsSpan();
            while (DtlsRecord.TryRead(ref rest, 0, out var record)) { Machine.OnRecord(record, now: 0); }
            while (Machine.NextMessage() is { } message)
            {
                _side!.Feed(message);
                Machine.OnFed(null, now: 0);
            }
        }
    }

    public void Dispose()
    {
        _side?.Dispose();
        _context.Dispose();
        _cipher.Dispose();
    }
}
