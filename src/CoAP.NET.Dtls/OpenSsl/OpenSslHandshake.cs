using System.Security.Cryptography;
using CoAP.Vocabulary;

namespace CoAP.Dtls.OpenSsl;

/// <summary>
/// The computations of one handshake: whole messages go in, whole messages come out. Records, fragments, flights and time are left to the caller.
/// </summary>
/// <remarks>
/// OpenSSL protects its Finished itself. The keys are known before, so its record is opened here, and what arrives is protected again for it. Such records
/// never leave the process. One thread at a time.
/// </remarks>
internal sealed unsafe class OpenSslHandshake : RunningHandshake, IHandshake, IDisposable
{
    private const int Mtu = DtlsRecord.MaxContent + 256;      // OpenSSL must not cut messages
    private const int ShutDown = 3;
    private const int MaxMessage = 1 << 17;
    private const int RandomKeyLength = 16;

    private readonly SslHandle _ssl;
    private readonly bool _isServer;
    private readonly byte[] _kind;
    private readonly List<HandshakeOutput> _output = [];
    private HandshakeAssembler? _whole;
    private byte[] _clientHello = [];
    private bool _hasServerHello;
    private ulong _fedPlain;
    private ulong _fedSealed = RecordNumber.FirstOf(DtlsSession.Epoch, 0).Value;

    /// <param name="context">The side and the kind of keys.</param>
    /// <param name="ownConnectionId">Our connection ID: <see langword="null"/> to use none in either direction, empty to use only the peer's.</param>
    public OpenSslHandshake(SslContext context, ReadOnlyMemory<byte>? ownConnectionId)
    {
        (OwnConnectionId, _isServer, _kind, _ssl) = (ownConnectionId, context.IsServer, context.Kind, SslHandle.Create(context));
        if (_isServer) { SslCalls.SetServer(_ssl); }
        else { SslCalls.SetClient(_ssl); }
        SslCalls.SetTimer(_ssl, &NeverRing);
        _ = SslCalls.Control(_ssl, SslCalls.SetMtu, Mtu, 0);
    }

    /// <inheritdoc cref="RunningHandshake.OwnConnectionId"/>
    public override ReadOnlyMemory<byte>? OwnConnectionId { get; }

    /// <summary>Whether this side offers the return routability check, which needs connection IDs (RFC 9853, section 3).</summary>
    public bool OffersRoutabilityCheck { get; init; } = true;

    /// <summary>Whether our hello has the extension of the check. That of a server has it only if the client has connection IDs, too (RFC 9853, section 3).</summary>
    public override bool AnnouncesRoutabilityCheck => OffersRoutabilityCheck && OwnConnectionId is not null && (!_isServer || PeerConnectionId is not null);

    public bool HasRoutabilityCheck => HasPeerRoutabilityCheck && OffersRoutabilityCheck && OwnConnectionId is not null && PeerConnectionId is not null;

    /// <summary>The identity of a pre-shared key that a client sends.</summary>
    public byte[]? PskIdentity { get; set; }

    /// <summary>The name of the server on which the key of the client depends; <see langword="null"/> if it depends on none.</summary>
    public string? KeyServerName { get; set; }

    /// <summary>
    /// The pre-shared key; <see langword="null"/> if there is none. A server sets it when it has read the identity, before it feeds ClientKeyExchange. The array
    /// is overwritten when it is not needed any more.
    /// </summary>
    public byte[]? PskKey
    {
        get;
        set
        {
            if (field is { } earlier && earlier != value) { CryptographicOperations.ZeroMemory(earlier); }
            field = value;
        }
    }

    /// <summary>Whether a server has continued with a random key, because it has none for the identity of the client.</summary>
    public bool HasUnknownIdentity { get; private set; }

    /// <summary>Chooses the key of a client by the hint of the server; <see langword="null"/> to ignore the hint.</summary>
    public Func<string, PreSharedKey?>? SelectByHint { get; init; }

    /// <summary>The log to which the secret of the session is written; <see langword="null"/> if there is none.</summary>
    public KeyLog? KeyLog { get; init; }

    /// <summary>The check of the peer's certificate or raw public key.</summary>
    public PeerCheck Peer { get; init; } = new();

    /// <summary>The reason for which no key could be chosen; <see langword="null"/> if there is none.</summary>
    public CryptographicException? KeyProblem { get; private set; }

    /// <summary>Whether the server has asked for a certificate or raw public key, and this client has none.</summary>
    public bool LacksCertificate { get; private set; }

    /// <summary>Whether a client has a certificate or raw public key.</summary>
    public bool HasCertificate { get; init; }

    public bool IsDone { get; private set; }

    /// <summary>Whether the session continues an earlier one, so that no keys or certificates were exchanged.</summary>
    public bool IsResumed => SslCalls.IsResumed(_ssl) == 1;

    /// <summary>The cipher suite, once the keys are known.</summary>
    public CipherSuite? Suite { get; private set; }

    public int MaxContent { get; private set; } = DtlsRecord.MaxContent;

    /// <summary>Offers to resume an earlier session, in the form of <see cref="ExportForResumption"/>.</summary>
    public void Resume(byte[] earlier) => ResumableSession.Offer(_ssl, earlier);

    /// <summary>Returns what a client needs to resume the session; <see langword="null"/> if the server does not offer that.</summary>
    public byte[]? ExportForResumption() => ResumableSession.Export(_ssl);

    /// <summary>The ID by which the client of a server can resume the session; empty if it has none, or a ticket.</summary>
    public byte[] ResumptionId => ResumableSession.IdOf(_ssl);

    /// <summary>Starts the handshake of a client. The output contains its ClientHello.</summary>
    /// <exception cref="CryptographicException">The handshake fails.</exception>
    public void Begin()
    {
        _whole = new HandshakeAssembler(0, MaxMessage);
        Step(keepsOutput: true);
    }

    /// <summary>Starts the handshake of a server.</summary>
    /// <param name="clientHello">The whole ClientHello whose cookie was valid, with its own number.</param>
    /// <exception cref="CryptographicException">The handshake fails. The output contains the alert.</exception>
    public void Begin(ReadOnlySpan<byte> clientHello)
    {
        // The first fragment was well-formed, but what it said may be cut off in the whole message.
        if (!ClientHello.TryRead(clientHello, out var hello)) { throw new CryptographicException("the ClientHello is malformed"); }
        _whole = new HandshakeAssembler(hello.Header.Sequence, MaxMessage);
        // OpenSSL answers hellos without a cookie with a HelloVerifyRequest, until it has counted as many as the client has sent.
        for (ushort sequence = 0; sequence < hello.Header.Sequence; sequence++)
        {
            Write(ContentType.Handshake, ClientHello.WithoutCookie(clientHello, sequence));
            Step(keepsOutput: false);
        }
        Write(ContentType.Handshake, clientHello);
        Step(keepsOutput: true);
    }

    /// <summary>Processes the next message of the peer, which is whole.</summary>
    /// <exception cref="CryptographicException">The handshake fails. The output contains the alert.</exception>
    public void Feed(ReadOnlySpan<byte> message)
    {
        if (message[0] == (byte)HandshakeType.Finished)
        {
            WriteFinished(message);
            Step(keepsOutput: true);
        }
        else
        {
            if (message[0] == (byte)HandshakeType.ServerHello && !_isServer) { RefuseUnrequested(message); }
            _hasServerHello |= message[0] == (byte)HandshakeType.ServerHello;
            LacksCertificate |= message[0] == (byte)HandshakeType.CertificateRequest && !HasCertificate;
            // OpenSSL takes no longer records than the two sides have agreed on, and one at a time.
            foreach (var part in Flight.Cut(message.ToArray(), MaxContent))
            {
                Write(ContentType.Handshake, part);
                Step(keepsOutput: true);
            }
        }
        if (IsDone && _isServer && IsResumed) { ReadCredentials(); }
    }

    public IReadOnlyList<HandshakeOutput> TakeOutput()
    {
        HandshakeOutput[] output = [.. _output];
        _output.Clear();
        return output;
    }

    public SessionKeys? Keys { get; private set; }

    /// <inheritdoc/>
    /// <remarks>
    /// For an unknown identity, a server goes on as if the client had a wrong key. Otherwise, anybody could find out which identities exist
    /// (RFC 4279, section 2).
    /// </remarks>
    public override uint WriteKey(Span<byte> destination)
    {
        if (PskKey is null && _isServer)
        {
            HasUnknownIdentity = true;
            RandomNumberGenerator.Fill(destination[..RandomKeyLength]);
            return RandomKeyLength;
        }
        return PskKey?.AsSpan().TryCopyTo(destination) == true ? (uint)PskKey.Length : 0;
    }

    /// <inheritdoc/>
    public override bool TryWriteIdentity(string? hint, Span<byte> destination)
    {
        if (hint is { Length: > 0 } && SelectByHint is { } select) { SelectKey(select, hint); }
        if (PskIdentity is null || PskIdentity.Length >= destination.Length) { return false; }
        PskIdentity.CopyTo(destination);
        destination[PskIdentity.Length] = 0;
        return true;
    }

    /// <inheritdoc/>
    public override bool Verify(nint store) => Peer.Verify(store);

    /// <summary>
    /// Lets the client of a server resume only a session that began under the same name. Under another one, the handshake is a full one (RFC 6066, section 3).
    /// </summary>
    /// <param name="serverName">The name in the hello; empty if it has none.</param>
    public void BindResumption(string serverName) => ResumableSession.Bind(_ssl, _kind, serverName);

    /// <summary>Keeps the identity of the client with the session, for its resumption: OpenSSL would cut the identity at a zero.</summary>
    public void KeepIdentity()
    {
        if (PskIdentity is { } identity) { ResumableSession.Keep(_ssl, identity, KeyServerName); }
    }

    /// <inheritdoc cref="SslHandle.SetServerName"/>
    public void SetServerName(string name) => _ssl.SetServerName(name);

    /// <inheritdoc cref="SslHandle.SetMaxContent"/>
    public void SetMaxContent(int bytes) => _ssl.SetMaxContent(bytes);

    /// <summary>Adds an alert to the output. Called before the handshake fails for a reason that OpenSSL does not know.</summary>
    public void AddAlert(AlertDescription description) => _output.Add(new(ContentType.Alert, 0, new Alert(IsFatal: true, description).ToBytes()));

    public void Dispose()
    {
        // Otherwise, OpenSSL would treat the session as failed and remove it from its cache.
        if (IsDone) { SslCalls.SetShutdown(_ssl, ShutDown); }
        _ssl.Dispose();
        PskKey = null;
        Keys?.Erase();
    }

    private void WriteFinished(ReadOnlySpan<byte> message)
    {
        var keys = Keys ?? throw new CryptographicException("The Finished of the peer came before its key exchange.");
        var key = _isServer ? keys.Client : keys.Server;
        Write(ContentType.ChangeCipherSpec, [1]);
        var record = new byte[key.LengthOf(message.Length, 0)];
        key.Seal(OpenSslCipher.OfThread, ContentType.Handshake, new RecordNumber(_fedSealed++), message, default, record);
        fixed (byte* start = record) { _ = CryptoCalls.Write(_ssl.Input, start, record.Length); }
    }

    private void RefuseUnrequested(ReadOnlySpan<byte> serverHello)
    {
        if (ServerHello.FindUnrequested(serverHello, _clientHello) is not { } type) { return; }
        AddAlert(AlertDescription.UnsupportedExtension);
        throw new CryptographicException($"the server answers extension {type}, which the client has not sent (RFC 5246, section 7.4.1.4)");
    }

    [System.Runtime.InteropServices.UnmanagedCallersOnly(CallConvs = [typeof(System.Runtime.CompilerServices.CallConvCdecl)])]
    private static uint NeverRing(nint ssl, uint microseconds) => uint.MaxValue;

    private void Write(ContentType type, ReadOnlySpan<byte> content)
    {
        var record = new byte[DtlsRecord.HeaderLength + content.Length];
        var head = DtlsRecord.WriteHeader(record, type, new RecordNumber(_fedPlain++), default, content.Length);
        content.CopyTo(record.AsSpan(head));
        fixed (byte* start = record) { _ = CryptoCalls.Write(_ssl.Input, start, record.Length); }
    }

    private void Step(bool keepsOutput)
    {
        Enter();
        try
        {
            CryptoCalls.ClearErrors();
            var result = SslCalls.Handshake(_ssl);
            var error = result == 1 ? 0 : SslCalls.GetError(_ssl, result);
            IsDone = result == 1;
            if (Keys is null) { ReadKeys(); }
            ReadOutput(keepsOutput);
            if (error is not (0 or SslCalls.WantRead))
            {
                var reason = OpenSslErrors.Take(_isServer, error);
                throw Peer.Defect ?? KeyProblem ?? new CryptographicException(Peer.Problem ?? reason);
            }
        }
        finally { Leave(); }
    }

    private void ReadKeys()
    {
        // A client that resumes has the secret before it has the random bytes of the server.
        if (!_isServer && !_hasServerHello) { return; }
        if (SslCalls.GetSession(_ssl) is not (not 0 and var session)) { return; }
        if (SslCalls.GetMaxFragmentLength(session) is > 0 and < 5 and var code) { MaxContent = 256 << code; }
        Span<byte> secret = stackalloc byte[KeyBlock.MasterSecretLength], client = stackalloc byte[KeyBlock.RandomLength], server = stackalloc byte[KeyBlock.RandomLength];
        fixed (byte* secretStart = secret, clientStart = client, serverStart = server)
        {
            if (SslCalls.GetMasterSecret(session, secretStart, (nuint)secret.Length) != (nuint)secret.Length) { return; }
            _ = SslCalls.GetClientRandom(_ssl, clientStart, (nuint)client.Length);
            _ = SslCalls.GetServerRandom(_ssl, serverStart, (nuint)server.Length);
        }
        var id = SslCalls.GetCipherId(SslCalls.GetPendingCipher(_ssl));
        Suite = CipherSuite.Find(id) ?? throw new CryptographicException($"OpenSSL has chosen cipher suite 0x{id:x4}, which this library does not support.");
        Keys = KeyBlock.Derive(Suite, secret, client, server);
        KeyLog?.Write(client, secret);
        CryptographicOperations.ZeroMemory(secret);
    }

    // The exception must not pass through OpenSSL. Without a key the handshake fails.
    private void SelectKey(Func<string, PreSharedKey?> select, string hint)
    {
        try
        {
            var key = CallbackException.Call("SelectPreSharedKeyByHint", TlsFailure.Key, () => select(hint))
                ?? throw new CryptographicException($"SelectPreSharedKeyByHint returned no key for the hint '{ForeignText.Clean(hint)}' of the server");
            if (key.WhyNotSent() is { } reason) { throw new CryptographicException(reason.TrimEnd('.')); }
            (PskIdentity, PskKey) = (key.IdentityBytes.ToArray(), key.CopyKey());
        }
        catch (CryptographicException exception) { (PskIdentity, PskKey, KeyProblem) = (null, null, exception); }
    }

    // In a resumed session the client has proven again that it has the secret of the session whose credentials OpenSSL has kept.
    private void ReadCredentials()
    {
        (PskIdentity, KeyServerName) = ResumableSession.IdentityOf(_ssl);
        Peer.Resume(_ssl);
    }

    private void ReadOutput(bool keepsOutput)
    {
        var bytes = new byte[(int)CryptoCalls.ControlBio(_ssl.Output, CryptoCalls.GetPending, 0, 0)];
        fixed (byte* start = bytes) { _ = CryptoCalls.Read(_ssl.Output, start, bytes.Length); }
        var rest = bytes.AsSpan();
        while (DtlsRecord.TryRead(ref rest, 0, out var record))
        {
            if (record.Number.Epoch == 0)
            {
                if (keepsOutput) { Keep(record.Type, epoch: 0, record.Body); }
            }
            else if (Keys is { } keys && (_isServer ? keys.Server : keys.Client).TryOpen(OpenSslCipher.OfThread, record, out var type, out var content))
            {
                Keep(type, record.Number.Epoch, content);
            }
            else { throw new CryptographicException("A record of OpenSSL is not protected with the expected keys."); }
        }
    }

    // OpenSSL splits messages that exceed the size of a record; they are reassembled here. Repeated fragments are dropped.
    private void Keep(ContentType type, ushort epoch, ReadOnlySpan<byte> content)
    {
        if (type != ContentType.Handshake)
        {
            _output.Add(new(type, epoch, content.ToArray()));
            return;
        }
        _whole!.Add(content, isProtected: epoch > 0);
        while (_whole.TakeNext() is { } message)
        {
            if (message[0] == (byte)HandshakeType.ClientHello) { _clientHello = message; }
            _output.Add(new(type, epoch, message));
        }
    }
}
