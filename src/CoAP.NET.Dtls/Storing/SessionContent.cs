using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Vocabulary;

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
    // The second one has identities as bytes and the name of the server; the third one has the names of network interfaces, not their
    // numbers.
    private const byte FirstVersion = 1, WithServerName = 2, Version = 3;
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

    /// <summary>
    /// The name of the network interface of an address that this machine does not have; <see langword="null"/> in all other cases. Such a
    /// session cannot be continued.
    /// </summary>
    public string? LostZone { get; init; }

    public PeerCredentials? Credentials =>
        Certificate is not null ? new PeerCredentials { Certificate = X509CertificateLoader.LoadCertificate(Certificate) }
        : RawKey is not null ? new PeerCredentials { RawPublicKey = RawPublicKey.From(RawKey) }
        : KeyIdentity is not null ? KeyCredentials.Of(KeyIdentity, ServerName)
        : null;

    /// <summary>
    /// The name of the session in a store. It contains no number of a network interface, because that could be another one after a restart.
    /// </summary>
    public string Id => IdOf(Identity.Peer, LostZone);

    /// <summary>Returns the name of the session with a peer in a store.</summary>
    public static string IdOf(in PeerIdentity peer) => IdOf(peer, lost: null);

    /// <summary>Reads what <see cref="Write(SecretWriter)"/> has written.</summary>
    /// <exception cref="CryptographicException">The bytes come from a later version, or are not a session.</exception>
    public static SessionContent Read(ReadOnlySpan<byte> bytes)
    {
        var reader = new SecretReader(bytes);
        if (reader.ReadByte() is var version && version is < FirstVersion or > Version)
        {
            throw new CryptographicException($"The session has format {version}; this library reads only the formats {FirstVersion} to {Version}.");
        }
        var (isServer, hasCheck, id) = (reader.ReadBoolean(), reader.ReadBoolean(), reader.ReadUInt16());
        var suite = CipherSuite.Find(id) ?? throw new CryptographicException($"The session has cipher suite 0x{id:x4}, which this version does not have.");
        string? lost = null;
        ChannelKey identity = ReadKey(ref reader, version, ref lost), address = ReadKey(ref reader, version, ref lost);
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
            ServerName = version >= WithServerName && reader.ReadBoolean() ? reader.ReadText() : null,
            LostZone = lost,
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

    private static string IdOf(in PeerIdentity peer, string? lost)
    {
        if (peer.ScopeId == 0) { return peer.ToString(); }
        var address = peer.ToIPEndPoint()!;
        var zone = ZoneOf(peer, lost);
        var bare = new IPEndPoint(new IPAddress(address.Address.GetAddressBytes()), address.Port);
        return peer.Name is { } name ? $"{bare}%{zone}/{name}" : $"{bare}%{zone}";
    }

    private static string ZoneOf(in PeerIdentity peer, string? lost) =>
        peer.ScopeId == InterfaceNames.UnknownZone ? lost ?? "" : InterfaceNames.NameOf(peer.ScopeId);

    private void Write(SecretWriter writer, in PeerIdentity peer)
    {
        writer.Write(peer.Name ?? "");
        writer.Write(peer.IsIP);
        if (!peer.IsIP) { return; }
        peer.WriteIPv6(writer.Reserve(AddressLength));
        writer.Write(peer.ScopeId != 0);
        if (peer.ScopeId != 0) { writer.Write(ZoneOf(peer, LostZone)); }
        writer.Write((ushort)peer.Port);
    }

    private static ChannelKey ReadKey(ref SecretReader reader, byte version, ref string? lost) =>
        new(ReadPeer(ref reader, version, ref lost), ReadPeer(ref reader, version, ref lost));

    private static PeerIdentity ReadPeer(ref SecretReader reader, byte version, ref string? lost)
    {
        var name = reader.ReadText();
        if (!reader.ReadBoolean()) { return name.Length == 0 ? default : PeerIdentity.From(name); }
        var address = reader.Take(AddressLength);
        var zone = version < Version ? ReadNumber(ref reader, ref lost) : reader.ReadBoolean() ? ReadName(ref reader, ref lost) : 0;
        var peer = PeerIdentity.FromIPv6(address, zone, reader.ReadUInt16());
        return name.Length == 0 ? peer : peer.Named(name);
    }

    private static uint ReadName(ref SecretReader reader, ref string? lost)
    {
        var name = reader.ReadText();
        var zone = InterfaceNames.ZoneOf(name);
        if (zone == InterfaceNames.UnknownZone) { lost = name; }
        return zone;
    }

    private static uint ReadNumber(ref SecretReader reader, ref string? lost)
    {
        var number = reader.ReadUInt32();
        if (number == 0 || InterfaceNames.NameOf(number).Length > 0) { return number; }
        lost = number.ToString(CultureInfo.InvariantCulture);
        return InterfaceNames.UnknownZone;
    }

    private static DateTimeOffset ReadTime(ref SecretReader reader)
    {
        var ticks = reader.ReadUInt64();
        return ticks <= (ulong)DateTimeOffset.MaxValue.Ticks ? new DateTimeOffset((long)ticks, TimeSpan.Zero) : throw SecretReader.NotSession();
    }
}
