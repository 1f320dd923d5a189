
namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Our client, which uses Q-Block where it can in blocks of 16 bytes, and a server that follows a script. ACK_RANDOM_FACTOR is 1.</summary>
public abstract class RobustClientUnderTest : ClientUnderTest
{
    private protected RobustClientUnderTest()
        : base(new CoapClientSettings
        {
            Transmission = new() { AckRandomFactor = 1 },
            ClientTransfers = new() { BlockSize = 16, RobustMode = RobustMode.WhenSupported },
        })
    {
    }

    /// <summary>Sends a body of two blocks.</summary>
    private protected Task<CoapResponse> Put() => Client.Send(new CoapRequest(RequestCode.Put, "/a") { Payload = "0123456789abcdefgh"u8.ToArray() });
}
