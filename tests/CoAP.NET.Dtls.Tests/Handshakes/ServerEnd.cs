using System.Security.Cryptography;
using System.Text;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>A server for one client: it asks for a cookie, shakes hands, and passes on what the client sends then.</summary>
internal sealed class ServerEnd : IDisposable
{
    private const int IdLength = 8;

    private readonly HelloCookies _cookies = new([1, 2, 3], TimeSpan.FromMinutes(1).Ticks);
    private readonly IRecordCipher _cipher;
    private readonly SslContext _context;
    private readonly byte[]? _id;
    private readonly HandshakeSettings _settings;
    private OpenSslHandshake? _side;

    /// <param name="cipher">Protects the records.</param>
    /// <param name="context">The kind of keys. The server disposes of it.</param>
    /// <param name="usesIds">Whether connection IDs are used.</param>
    /// <param name="settings">The sizes and times.</param>
    public ServerEnd(IRecordCipher cipher, SslContext context, bool usesIds, HandshakeSettings settings)
    {
        (_cipher, _settings, _context) = (cipher, settings, context);
        _id = usesIds ? RandomNumberGenerator.GetBytes(IdLength) : null;
    }

    /// <summary>The handshake, once a cookie has come back.</summary>
    public HandshakeMachine? Machine { get; private set; }

    /// <summary>The keys that the server knows.</summary>
    public Dictionary<string, byte[]> Keys { get; } = [];

    /// <summary>Checks the certificates of clients.</summary>
    public CertificateCheck? Check { get; init; }

    public OpenSslHandshake? Side => _side;

    /// <summary>Called with application data.</summary>
    public Action<byte[]>? Received { get; set; }

    /// <summary>The handshake messages that have arrived in the session.</summary>
    public List<byte[]> Messages { get; } = [];

    /// <summary>The alerts that have arrived in the session.</summary>
    public List<byte[]> Alerts { get; } = [];

    public static void Compute(HandshakeMachine machine, Action work, long now)
    {
        string? failure = null;
        try { work(); }
        catch (CryptographicException exception) { failure = exception.Message; }
        machine.OnFed(failure, now);
    }

    public void OnDatagram(byte[] datagram, in PeerIdentity peer, long now, Action<byte[]> send)
    {
        var rest = datagram.AsSpan();
        while (DtlsRecord.TryRead(ref rest, IdLength, out var record))
        {
            if (Machine is null) { OnHello(record, peer, now, send); }
            else if (Machine.IsDone && record.Number.Epoch > 0) { OnSealed(Machine, record, now); }
            else { Machine.OnRecord(record, now); }
        }
        if (Machine is not null) { Work(Machine, now); }
    }

    public void Dispose()
    {
        _side?.Dispose();
        _context.Dispose();
    }

    private void OnSealed(HandshakeMachine machine, in DtlsRecord record, long now)
    {
        if (machine.Session!.Open(_cipher, record, out var type, out var content) < RecordVerdict.Late) { return; }
        if (type == ContentType.ApplicationData) { Received?.Invoke(content.ToArray()); }
        else
        {
            if (type == ContentType.Alert) { Alerts.Add(content.ToArray()); }
            if (type == ContentType.Handshake) { Messages.Add(content.ToArray()); }
            machine.OnContent(type, content, now);
        }
    }

    private void Work(HandshakeMachine machine, long now)
    {
        while (true)
        {
            if (machine.NextMessage() is not { } message) { return; }
            if (machine.IdentityIn(message) is { } identity) { _side!.PskKey = Keys.GetValueOrDefault(Encoding.UTF8.GetString(identity.Span))?.ToArray(); }
            Compute(machine, () => _side!.Feed(message), now);
        }
    }

    // The hello is in one fragment here. The server keeps nothing before its cookie is valid.
    private void OnHello(in DtlsRecord record, in PeerIdentity peer, long now, Action<byte[]> send)
    {
        if (record.Type != ContentType.Handshake || !ClientHello.TryRead(record.Body, out var hello)) { return; }
        if (!_cookies.IsValid(peer, hello.Parameters, now, hello.Cookie))
        {
            Span<byte> cookie = stackalloc byte[HelloCookies.Length];
            _cookies.Write(peer, hello.Parameters, now, cookie);
            var answer = new byte[64];
            send(answer[..ClientHello.WriteVerifyRequest(hello, record.Number, cookie, answer)]);
            return;
        }
        var assembler = new HandshakeAssembler(hello.Header.Sequence, 1 << 14);
        assembler.Add(record.Body);
        var message = assembler.TakeNext()!;
        var side = _side = new OpenSslHandshake(_context, _id) { Peer = new() { Certificates = Check } };
        Machine = new HandshakeMachine(side, _cipher, _settings, isServer: true, (ushort)(hello.Header.Sequence + 1), record.Number);
        Machine.OnBegun();
        Compute(Machine, () => side.Begin(message), now);
    }
}
