using System.Buffers.Binary;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>The extensions of connection IDs (54) and of the return routability check (61) in hellos.</summary>
public sealed class HelloExtensionTests
{
    private const int ConnectionId = 54, RoutabilityCheck = 61, RenegotiationInfo = 0xFF01;

    [Theory, Trait("RFC", "9853 3"), Trait("RFC", "9146 3"), InlineData(true), InlineData(false)]
    public void A_server_answers_the_check_only_to_a_client_with_connection_IDs(bool hasId)
    {
        using var clientContext = SslContext.ForPreSharedKeys(isServer: false, "PSK-AES128-CCM8");
        using var serverContext = SslContext.ForPreSharedKeys(isServer: true, "PSK-AES128-CCM8");
        using var client = new OpenSslHandshake(clientContext, ReadOnlyMemory<byte>.Empty) { PskIdentity = [1], PskKey = [1, 2, 3] };
        using var server = new OpenSslHandshake(serverContext, new byte[8]);
        client.Begin();
        var hello = client.TakeOutput()[0].Content;
        Extensions(hello, AtOfClient(hello)).Should().Contain([ConnectionId, RoutabilityCheck]);
        if (!hasId) { hello = Without(hello, ConnectionId); }

        server.Begin(WithCookie(hello));

        var answer = server.TakeOutput()[0].Content;
        var at = HandshakeHeader.Size + 2 + KeyBlock.RandomLength;
        var extensions = Extensions(answer, at + 1 + answer[at] + 3);
        extensions.Intersect([ConnectionId, RoutabilityCheck]).Should().BeEquivalentTo(hasId ? [ConnectionId, RoutabilityCheck] : Array.Empty<int>());
        server.HasRoutabilityCheck.Should().Be(hasId);
    }

    // TinyDTLS, NetX Duo and older versions of Californium have no renegotiation indication (RFC 5746).
    [Fact]
    public void A_server_without_renegotiation_indication_is_accepted()
    {
        using var clientContext = SslContext.ForPreSharedKeys(isServer: false, "PSK-AES128-CCM8");
        using var serverContext = SslContext.ForPreSharedKeys(isServer: true, "PSK-AES128-CCM8");
        using var client = new OpenSslHandshake(clientContext, null) { PskIdentity = [65], PskKey = [1, 2, 3] };
        using var server = new OpenSslHandshake(serverContext, null);
        client.Begin();
        server.Begin(client.TakeOutput()[0].Content);
        client.Feed(server.TakeOutput()[0].Content);     // HelloVerifyRequest
        server.Feed(client.TakeOutput()[0].Content);
        var answers = server.TakeOutput();
        var hello = answers[0].Content;
        var start = HandshakeHeader.Size + 2 + KeyBlock.RandomLength;
        start += 1 + hello[start] + 3;
        Extensions(hello, start).Should().Contain(RenegotiationInfo);

        client.Feed(WithoutAt(hello, start, RenegotiationInfo, HandshakeType.ServerHello, sequence: 1));
        client.Feed(answers[1].Content);

        client.TakeOutput()[0].Content[0].Should().Be((byte)HandshakeType.ClientKeyExchange);
    }

    // The position of the length of the extensions.
    private static int AtOfClient(byte[] hello)
    {
        var at = HandshakeHeader.Size + 2 + KeyBlock.RandomLength;
        at += 1 + hello[at];                                                        // session ID
        at += 1 + hello[at];                                                        // cookie
        at += 2 + BinaryPrimitives.ReadUInt16BigEndian(hello.AsSpan(at));           // cipher suites
        return at + 1 + hello[at];                                                  // compression methods
    }

    private static List<int> Extensions(byte[] hello, int at)
    {
        var types = new List<int>();
        for (at += 2; at < hello.Length; at += 4 + BinaryPrimitives.ReadUInt16BigEndian(hello.AsSpan(at + 2)))
        {
            types.Add(BinaryPrimitives.ReadUInt16BigEndian(hello.AsSpan(at)));
        }
        return types;
    }

    // The first hello has no cookie, and the second one has it.
    private static byte[] WithCookie(byte[] hello)
    {
        var at = HandshakeHeader.Size + 2 + KeyBlock.RandomLength;
        at += 1 + hello[at];
        byte[] second = [.. hello[..at], HelloCookies.Length, .. new byte[HelloCookies.Length], .. hello[(at + 1)..]];
        var body = second.Length - HandshakeHeader.Size;
        new HandshakeHeader(HandshakeType.ClientHello, body, 1, 0, body).Write(second);
        return second;
    }

    private static byte[] Without(byte[] hello, int type) => WithoutAt(hello, AtOfClient(hello), type, HandshakeType.ClientHello, sequence: 0);

    private static byte[] WithoutAt(byte[] hello, int start, int type, HandshakeType message, ushort sequence)
    {
        var at = start + 2;
        while (BinaryPrimitives.ReadUInt16BigEndian(hello.AsSpan(at)) != type) { at += 4 + BinaryPrimitives.ReadUInt16BigEndian(hello.AsSpan(at + 2)); }
        var length = 4 + BinaryPrimitives.ReadUInt16BigEndian(hello.AsSpan(at + 2));
        byte[] rest = [.. hello[..at], .. hello[(at + length)..]];
        BinaryPrimitives.WriteUInt16BigEndian(rest.AsSpan(start), (ushort)(rest.Length - start - 2));
        var body = rest.Length - HandshakeHeader.Size;
        new HandshakeHeader(message, body, sequence, 0, body).Write(rest);
        return rest;
    }
}
