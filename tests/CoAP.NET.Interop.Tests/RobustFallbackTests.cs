using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests;

/// <summary>
/// A client of ours that prefers Q-Block, and libcoap's server of Debian, which is built without Q-Block: it answers 4.02, and the bodies go in blocks
/// of RFC 7959.
/// </summary>
[Trait("Category", "Interop")]
public sealed class RobustFallbackTests
{
    // The waits for lost datagrams are a tenth of the defaults.
    private static readonly TransmissionParameters Repeating = new() { AckTimeout = TimeSpan.FromMilliseconds(200), MaxRetransmit = 8 };

    // Nothing is repeated, however slow the server is.
    private static readonly TransmissionParameters Patient = new() { AckTimeout = TimeSpan.FromMinutes(2) };

    // The server does not recognize duplicates: it takes a repeated last block for a body of its own. Bodies of several blocks therefore have no loss.
    [SkippableTheory]
    [InlineData(0, 0)]
    [InlineData(1, 20)]
    [InlineData(1024, 20)]
    [InlineData(1025, 0)]
    [InlineData(40_000, 0)]
    [InlineData(200_000, 0)]
    [Trait("RFC", "9177 4.1")]
    public async Task Puts_a_body_and_gets_it_back(int size, int loss)
    {
        Needed.Programs(Needed.CoapServer);
        await using var server = await LibcoapServer.StartLossyAsync("127.0.0.1", loss);
        await using var client = new CoapClient(new CoapClientSettings
        {
            Transmission = loss > 0 ? Repeating : Patient,
            ClientTransfers = new() { RobustMode = RobustMode.WhenSupported },
        });
        var body = new byte[size];
        new Random(size).NextBytes(body);
        var uri = $"{server.Base("coap")}/note";

        var put = await client.SendAsync(new CoapRequest(RequestCode.Put, uri) { Payload = body });
        var got = await client.SendAsync(new CoapRequest(RequestCode.Get, uri));

        put.IsSuccess.Should().BeTrue("{0}\n{1}", put.Code, server);
        got.Payload.ToArray().Should().Equal(body);
    }
}
