using System.Buffers.Binary;
using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>The fields of a ClientHello or ServerHello, so that a test can look at them and change them.</summary>
internal sealed record HelloParts
{
    public required HandshakeType Type { get; init; }

    public required ushort Sequence { get; init; }

    public required ushort Version { get; init; }

    public required byte[] Random { get; init; }

    public required byte[] SessionId { get; init; }

    /// <summary>The cookie of a client.</summary>
    public byte[] Cookie { get; init; } = [];

    /// <summary>The suites that a client offers, or the one of a server.</summary>
    public required ushort[] Suites { get; init; }

    /// <summary>The compression methods that a client offers, or the one of a server.</summary>
    public required byte[] Compressions { get; init; }

    /// <summary>The extensions; <see langword="null"/> if their field is missing.</summary>
    public IReadOnlyList<(int Type, byte[] Content)>? Extensions { get; init; }

    public IEnumerable<int> ExtensionTypes => (Extensions ?? []).Select(static one => one.Type);

    /// <summary>Returns the content of the extension of a type; <see langword="null"/> if there is none.</summary>
    public byte[]? ContentOf(int type) => (Extensions ?? []).Where(one => one.Type == type).Select(static one => one.Content).SingleOrDefault();

    /// <summary>Returns the hello with another extension behind the others.</summary>
    public HelloParts With(int type, params byte[] content) => this with { Extensions = [.. Extensions ?? [], (type, content)] };

    /// <summary>Returns the hello without an extension.</summary>
    public HelloParts Without(int type) => this with { Extensions = [.. (Extensions ?? []).Where(one => one.Type != type)] };

    public static HelloParts Read(byte[] message)
    {
        HandshakeHeader.TryRead(message, out var header).Should().BeTrue();
        var isClient = header.Type == HandshakeType.ClientHello;
        var rest = message.AsSpan(HandshakeHeader.Size);
        return new HelloParts
        {
            Type = header.Type,
            Sequence = header.Sequence,
            Version = BinaryPrimitives.ReadUInt16BigEndian(Take(ref rest, sizeof(ushort))),
            Random = Take(ref rest, KeyBlock.RandomLength),
            SessionId = TakeVector(ref rest, 1),
            Cookie = isClient ? TakeVector(ref rest, 1) : [],
            Suites = [.. (isClient ? TakeVector(ref rest, 2) : Take(ref rest, 2)).Chunk(2).Select(static pair => BinaryPrimitives.ReadUInt16BigEndian(pair))],
            Compressions = isClient ? TakeVector(ref rest, 1) : Take(ref rest, 1),
            Extensions = rest.IsEmpty ? null : ReadExtensions(TakeVector(ref rest, 2)),
        };
    }

    public byte[] ToBytes()
    {
        var isClient = Type == HandshakeType.ClientHello;
        byte[] suites = [.. Suites.SelectMany(Number)];
        byte[] extensions = [.. (Extensions ?? []).SelectMany(static one => (byte[])[.. Number((ushort)one.Type), .. Number((ushort)one.Content.Length), .. one.Content])];
        byte[] body =
        [
            .. Number(Version), .. Random, (byte)SessionId.Length, .. SessionId,
            .. isClient ? [(byte)Cookie.Length, .. Cookie, .. Number((ushort)suites.Length), .. suites, (byte)Compressions.Length] : suites,
            .. Compressions, .. Extensions is null ? [] : (byte[])[.. Number((ushort)extensions.Length), .. extensions],
        ];
        var message = new byte[HandshakeHeader.Size + body.Length];
        new HandshakeHeader(Type, body.Length, Sequence, 0, body.Length).Write(message);
        body.CopyTo(message, HandshakeHeader.Size);
        return message;
    }

    private static List<(int Type, byte[] Content)> ReadExtensions(Span<byte> rest)
    {
        var extensions = new List<(int, byte[])>();
        while (!rest.IsEmpty) { extensions.Add((BinaryPrimitives.ReadUInt16BigEndian(Take(ref rest, sizeof(ushort))), TakeVector(ref rest, 2))); }
        return extensions;
    }

    private static byte[] TakeVector(ref Span<byte> rest, int lengthBytes)
    {
        var length = Take(ref rest, lengthBytes).Aggregate(0, static (length, one) => (length << 8) | one);
        return Take(ref rest, length);
    }

    private static byte[] Take(ref Span<byte> rest, int count)
    {
        var taken = rest[..count].ToArray();
        rest = rest[count..];
        return taken;
    }

    private static byte[] Number(ushort value) => [(byte)(value >> 8), (byte)value];
}
