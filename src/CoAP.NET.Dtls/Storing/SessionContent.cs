using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Dtls;

/// <summary>The state that is needed to continue a session.</summary>
/// <param name="Identity">The identity of the peer, and the local address.</param>
/// <param name="Address">The last address that the peer has proven.</param>
/// <param name="IsServer">The side.</param>
/// <param name="Suite">The cipher suite.</param>
/// <param name="Keys">The keys, as the handshake derives them.</param>
/// <param name="Ids">The connection IDs.</param>
internal sealed record SessionContent(ChannelKey Identity, ChannelKey Address, bool IsServer, CipherSuite Suite, byte[] Keys, ConnectionIds Ids)
{
    private const byte FirstVersion = 1, Version = 2;       // the second one has identities as bytes, and the name of the server
    private const int AddressLength = 16;

    /// <summary>The generation of our record numbers.</summary>
    public ushort Generation { get; init; }

    /// <summary>The highest sequence number of the peer. Later ones may have been used too.</summary>
    public ulong HighestReceived { get; init; }

    public int MaxContent { get; init; }

    public bool HasRoutabilityCheck { get; init; }

    /// <summary>The identity of the peer's pre-shared key; <see langword="null"/> if it has none.</summary>
    public byte[]? KeyIdentity { get; init; }

    /// <summary>The name of the server on which the peer's key depends; <see langword="null"/> if it depends on none.</summary>
    public string? ServerName { get; init; }

    /// <summary>The certificate of the peer; <see langword="null"/> if it has none.</summary>
    public byte[]? Certificate { get; init; }

    /// <summary>The raw public key of the peer; <see langword="null"/> if it has none.</summary>
    public byte[]? RawKey { get; init; }

    public DateTimeOffset HeardAt { get; init; }

    public PeerCredentials? Credentials =>
        Certificate is not null ? new PeerCredentials { Certificate = X509CertificateLoader.LoadCertificate(Certificate) }
        : RawKey is not null ? new PeerCredentials { RawPublicKey = RawPublicKey.From(RawKey) }
        : KeyIdentity is not null ? KeyCredentials.Of(KeyIdentity, ServerName)
        : null;

    /// <summary>Reads what <see cref="Write(SecretWriter)"/> has written.</summary>
    /// <exception cref="CryptographicException">The bytes come from a later version, or are not a session.</exception>
    public static SessionContent Read(ReadOnlySpan<byte> bytes)
    {
        var reader = new SecretReader(bytes);
        if (reader.ReadByte() is var version && version is not (FirstVersion or Version))
        {
            throw new CryptographicException($"The session has format {version}; this library reads only the formats {FirstVersion} to {Version}.");
        }
        var (isServer, hasCheck, id) = (reader.ReadBoolean(), reader.ReadBoolean(), reader.ReadUInt16());
        var suite = CipherSuite.Find(id) ?? throw new CryptographicException($"The session has cipher suite 0x{id:x4}, which this version does not have.");
        ChannelKey identity = new(ReadPeer(ref reader), ReadPeer(ref reader)), address = new(ReadPeer(ref reader), ReadPeer(ref reader));
        var keys = reader.ReadBytes();
        var own = reader.ReadBytes();
        if (keys.Length != SessionKeys.LengthOf(suite) || own.Length > ConnectionIds.MaxOwnLength) { throw SecretReader.NotSession(); }
        var content = new SessionContent(identity, address, isServer, suite, keys.ToArray(), new(own.ToArray(), reader.ReadBytes().ToArray()))
        {
            HasRoutabilityCheck = hasCheck,
            Generation = reader.ReadUInt16(),
            HighestReceived = reader.ReadUInt64(),
            MaxContent = reader.ReadUInt16(),
            HeardAt = ReadTime(ref reader),
            KeyIdentity = reader.ReadBoolean() ? reader.ReadBytes().ToArray() : null,
            Certificate = reader.ReadBoolean() ? reader.ReadBytes().ToArray() : null,
            RawKey = reader.ReadBoolean() ? reader.ReadBytes().ToArray() : null,
            ServerName = version == Version && reader.ReadBoolean() ? reader.ReadText() : null,
        };
        return reader.IsAtEnd ? content : throw SecretReader.NotSession();
    }

    /// <summary>Writes the content without protection.</summary>
    public void Write(SecretWriter writer)
    {
        writer.Write(Version);
        writer.Write(IsServer);
        writer.Write(HasRoutabilityCheck);
        writer.Write(Suite.Id);
        Write(writer, Identity.Peer);
        Write(writer, Identity.Local);
        Write(writer, Address.Peer);
        Write(writer, Address.Local);
        writer.Write(Keys);
        writer.Write(Ids.Own.Span);
        writer.Write(Ids.Peer.Span);
        writer.Write(Generation);
        writer.Write(HighestReceived);
        writer.Write((ushort)MaxContent);
        writer.Write((ulong)HeardAt.UtcTicks);
        writer.Write(KeyIdentity is not null);
        if (KeyIdentity is not null) { writer.Write(KeyIdentity); }
        writer.Write(Certificate is not null);
        if (Certificate is not null) { writer.Write(Certificate); }
        writer.Write(RawKey is not null);
        if (RawKey is not null) { writer.Write(RawKey); }
        writer.Write(ServerName is not null);
        if (ServerName is not null) { writer.Write(ServerName); }
    }

    private static void Write(SecretWriter writer, in PeerIdentity peer)
    {
        writer.Write(peer.Name ?? "");
        writer.Write(peer.IsIP);
        if (!peer.IsIP) { return; }
        peer.WriteIPv6(writer.Reserve(AddressLength));
        writer.Write(peer.ScopeId);
        writer.Write((ushort)peer.Port);
    }

    private static PeerIdentity ReadPeer(ref SecretReader reader)
    {
        var name = reader.ReadText();
        if (!reader.ReadBoolean()) { return name.Length == 0 ? default : PeerIdentity.From(name); }
        var peer = PeerIdentity.FromIPv6(reader.Take(AddressLength), reader.ReadUInt32(), reader.ReadUInt16());
        return name.Length == 0 ? peer : peer.Named(name);
    }

    private static DateTimeOffset ReadTime(ref SecretReader reader)
    {
        var ticks = reader.ReadUInt64();
        return ticks <= (ulong)DateTimeOffset.MaxValue.Ticks ? new DateTimeOffset((long)ticks, TimeSpan.Zero) : throw SecretReader.NotSession();
    }
}
