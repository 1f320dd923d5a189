using System.Text;

namespace CoAP.Tests.Conformance;

/// <summary>Our client and a server that follows a script, with bodies of letters, so that a block of them can be written as it is.</summary>
public abstract class ClientBlocksUnderTest : ClientUnderTest
{
    private protected ClientBlocksUnderTest(ClientTransferSettings? transfers = null)
        : base(new CoapClientSettings { Transmission = new() { AckRandomFactor = 1 }, ClientTransfers = transfers ?? new() })
    {
    }

    /// <summary>Letters whose period of 23 fits into no block size, so that no two blocks are alike.</summary>
    private protected static string Text(int length) => string.Create(length, 0, static (text, _) =>
    {
        for (var i = 0; i < text.Length; i++) { text[i] = (char)('a' + i % 23); }
    });

    /// <summary>A block of the letters, the last one as long as it is.</summary>
    private protected static string Part(int length, int number, int size) =>
        Text(length)[(number * size)..Math.Min((number + 1) * size, length)];

    private protected static byte[] Body(int length) => Encoding.ASCII.GetBytes(Text(length));

    private protected Task<CoapResponse> Put(int length, int? blockSize = null) =>
        Client.Send(new CoapRequest(RequestCode.Put, "/options") { Payload = Body(length), PreferredBlockSize = blockSize });

    /// <summary>Nothing of the call is left on the lane when its channel is gone too.</summary>
    private protected void ExpectNothingLeft()
    {
        Server.ExpectNothing(seconds: 600);
        Client.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
        Client.BodiesUnderWay.Should().Be(0);
    }
}
