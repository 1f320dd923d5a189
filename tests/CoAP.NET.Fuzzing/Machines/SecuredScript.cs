using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>A client of a server with DTLS that follows the rules as long as it is asked to, and sends what it likes in between.</summary>
internal sealed class SecuredScript : IDisposable
{
    private static readonly SslContext Context = SslContext.ForPreSharedKeys(isServer: false, "PSK-AES128-CCM8");

    private readonly OpenSslCipher _cipher = new();
    private readonly ScriptedPeer _peer;
    private readonly ReadOnlyMemory<byte>? _id;
    private OpenSslHandshake _side;
    private HandshakeMachine _machine;
    private int _read;

    /// <param name="wire">The network.</param>
    /// <param name="name">The address.</param>
    /// <param name="usesIds">Whether the client offers connection IDs.</param>
    public SecuredScript(Wire wire, string name, bool usesIds)
    {
        (_peer, _id) = (ScriptedPeer.Client(wire, name), usesIds ? ReadOnlyMemory<byte>.Empty : null);
        (_side, _machine) = Begin();
    }

    public static PreSharedKey Key { get; } = new("device-7", "a key of 16 bytes"u8);

    /// <summary>Whether the handshake has ended with success.</summary>
    public bool IsDone => _machine.IsDone;

    /// <summary>Begins anew, with other random bytes.</summary>
    public void Restart()
    {
        _side.Dispose();
        (_side, _machine) = Begin();
    }

    /// <summary>Sends bytes as they are.</summary>
    public void Send(byte[] bytes) => _peer.Send(bytes);

    /// <summary>Sends what the handshake has to send, with the given bits of its bytes inverted.</summary>
    public void SendHandshake(byte[] inverted)
    {
        while (_machine.TryNextDatagram(out var datagram))
        {
            var bytes = datagram.ToArray();
            for (var i = 0; i < Math.Min(bytes.Length, inverted.Length); i++) { bytes[i] ^= inverted[i]; }
            _peer.Send(bytes);
        }
    }

    /// <summary>Sends a record of the session, if there is one.</summary>
    public void SendSealed(ContentType type, byte[] content)
    {
        if (_machine.Session is not { } session) { return; }
        var record = new byte[session.LengthOf(content.Length)];
        _peer.Send(record[..session.Seal(_cipher, type, content, record)]);
    }

    /// <summary>Lets time pass, and processes what has arrived since the last call. Answers of the handshake are sent with <see cref="SendHandshake"/>.</summary>
    public void Wait(TimeSpan time)
    {
        _peer.TakeAll(time.TotalSeconds);
        for (; _read < _peer.Received.Count; _read++)
        {
            var rest = ((byte[])_peer.Received[_read].Clone()).AsSpan();
            while (DtlsRecord.TryRead(ref rest, 0, out var record)) { _machine.OnRecord(record, now: 0); }
            while (_machine.NextMessage() is { } message) { Feed(message); }
        }
    }

    public void Dispose()
    {
        _side.Dispose();
        _cipher.Dispose();
        _peer.Dispose();
    }

    private (OpenSslHandshake Side, HandshakeMachine Machine) Begin()
    {
        var side = new OpenSslHandshake(Context, _id) { PskIdentity = [.. "device-7"u8], PskKey = [.. "a key of 16 bytes"u8] };
        var machine = new HandshakeMachine(side, _cipher, new HandshakeSettings(), isServer: false);
        machine.OnBegun();
        side.Begin();
        machine.OnFed(null, now: 0);
        return (side, machine);
    }

    private void Feed(byte[] message)
    {
        string? failure = null;
        try { _side.Feed(message); }
        catch (System.Security.Cryptography.CryptographicException exception) { failure = exception.Message; }
        _machine.OnFed(failure, now: 0);
    }
}
