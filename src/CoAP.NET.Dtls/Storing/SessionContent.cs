using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace CoAP.Dtls;

/// <summary>What has to be known to continue a session.</summary>
/// <param name="Identity">The identity of the peer, and the local address.</param>
/// <param name="Address">The last address that the peer has proven.</param>
/// <param name="IsServer">The side.</param>
/// <param name="Suite">The cipher suite.</param>
/// <param name="Keys">The keys, as the handshake derives them.</param>
/// <param name="Ids">The connection IDs.</param>
internal sealed record SessionContent(ChannelKey Identity, ChannelKey Address, bool IsServer, CipherSuite Suite, byte[] Keys, ConnectionIds Ids)
{
    private const byte FirstVersion = 1;
    private const int AddressLength = 16;

    /// <summary>The generation of our record numbers.</summary>
    public ushort Generation { get; init; }

    /// <summary>The highest sequence number of the peer. Later ones may have been used too.</summary>
    public ulong HighestReceived { get; init; }

    public int MaxContent { get; init; }

    public bool HasRoutabilityCheck { get; init; }

    /// <summary>The identity of the peer's pre-shared key; <see langword="null"/> if it has none.</summary>
    public string? KeyIdentity { get; init; }

    /// <summary>The certificate of the peer; <see langword="null"/> if it has none.</summary>
    public byte[]? Certificate { get; init; }

    /// <summary>The raw public key of the peer; <see langword="null"/> if it has none.</summary>
    public byte[]? RawKey { get; init; }

    public DateTimeOffset HeardAt { get; init; }

    public PeerCredentials? Credentials =>
        Certificate is not null ? new PeerCredentials { Certificate = X509CertificateLoader.LoadCertificate(Certificate) }
        : RawKey is not null ? new PeerCredentials { RawPublicKey = RawPublicKey.From(RawKey) }
        : KeyIdentity is not null ? new PeerCredentials { PreSharedKeyIdentity = KeyIdentity }
        : null;

    /// <summary>Reads what <see cref="ToBytes"/> has written.</summary>
    /// <exception cref="CryptographicException">The bytes come from a later version.</exception>
    public static SessionContent Read(byte[] bytes)
    {
        try
        {
            using var reader = new BinaryReader(new MemoryStream(bytes), Encoding.UTF8);
            if (reader.ReadByte() is var version && version != FirstVersion) { throw new CryptographicException($"The session has format {version}; this version reads {FirstVersion}."); }
            var (isServer, hasCheck) = (reader.ReadBoolean(), reader.ReadBoolean());
            var suite = reader.ReadUInt16();
            return new SessionContent(
                new(ReadPeer(reader), ReadPeer(reader)), new(ReadPeer(reader), ReadPeer(reader)), isServer,
                CipherSuite.Find(suite) ?? throw new CryptographicException($"The session has cipher suite 0x{suite:x4}, which this version does not have."),
                ReadBytes(reader), new(ReadBytes(reader), ReadBytes(reader)))
            {
                HasRoutabilityCheck = hasCheck,
                Generation = reader.ReadUInt16(),
                HighestReceived = reader.ReadUInt64(),
                MaxContent = reader.ReadUInt16(),
                HeardAt = new DateTimeOffset(reader.ReadInt64(), TimeSpan.Zero),
                KeyIdentity = reader.ReadBoolean() ? reader.ReadString() : null,
                Certificate = reader.ReadBoolean() ? ReadBytes(reader) : null,
                RawKey = reader.ReadBoolean() ? ReadBytes(reader) : null,
            };
        }
        catch (Exception exception) when (exception is IOException or FormatException or ArgumentException)
        {
            throw new CryptographicException("The bytes are not a session.", exception);
        }
    }

    /// <summary>Returns the content without protection.</summary>
    public byte[] ToBytes()
    {
        var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream, Encoding.UTF8);
        writer.Write(FirstVersion);
        writer.Write(IsServer);
        writer.Write(HasRoutabilityCheck);
        writer.Write(Suite.Id);
        foreach (var peer in new[] { Identity.Peer, Identity.Local, Address.Peer, Address.Local }) { Write(writer, peer); }
        foreach (var bytes in new[] { Keys, Ids.Own.ToArray(), Ids.Peer.ToArray() }) { Write(writer, bytes); }
        writer.Write(Generation);
        writer.Write(HighestReceived);
        writer.Write((ushort)MaxContent);
        writer.Write(HeardAt.UtcTicks);
        writer.Write(KeyIdentity is not null);
        if (KeyIdentity is not null) { writer.Write(KeyIdentity); }
        writer.Write(Certificate is not null);
        if (Certificate is not null) { Write(writer, Certificate); }
        writer.Write(RawKey is not null);
        if (RawKey is not null) { Write(writer, RawKey); }
        return stream.ToArray();
    }

    private static void Write(BinaryWriter writer, byte[] bytes)
    {
        writer.Write7BitEncodedInt(bytes.Length);
        writer.Write(bytes);
    }

    private static byte[] ReadBytes(BinaryReader reader) => reader.ReadBytes(reader.Read7BitEncodedInt());

    private static void Write(BinaryWriter writer, in PeerIdentity peer)
    {
        writer.Write(peer.Name ?? "");
        writer.Write(peer.IsIP);
        if (!peer.IsIP) { return; }
        Span<byte> address = stackalloc byte[AddressLength];
        peer.WriteIPv6(address);
        writer.Write(address);
        writer.Write(peer.ScopeId);
        writer.Write((ushort)peer.Port);
    }

    private static PeerIdentity ReadPeer(BinaryReader reader)
    {
        var name = reader.ReadString();
        if (!reader.ReadBoolean()) { return name.Length == 0 ? default : PeerIdentity.From(name); }
        Span<byte> address = stackalloc byte[AddressLength];
        reader.BaseStream.ReadExactly(address);
        var peer = PeerIdentity.FromIPv6(address, reader.ReadUInt32(), reader.ReadUInt16());
        return name.Length == 0 ? peer : peer.Named(name);
    }
}
