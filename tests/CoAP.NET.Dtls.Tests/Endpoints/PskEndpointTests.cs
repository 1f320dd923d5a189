
namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Clients and servers with pre-shared keys (RFC 7252, section 9.1.3.1).</summary>
public sealed class PskEndpointTests
{
    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    [Theory, Trait("RFC", "7252 9.1.3.1"), Trait("RFC", "7252 9.1.1"), InlineData(true), InlineData(false)]
    public async Task A_request_of_either_API_carries_the_identity_of_its_key(bool isInMemory)
    {
        await using var cut = new SecuredPair(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = Key }, isInMemory);

        var answer = await cut.Client.GetAsync(cut.Origin + "/who");
        var blocking = await Task.Run(() => cut.Client.Get(cut.Origin + "/who"));

        (answer.PayloadText, blocking.PayloadText).Should().Be(("device-7", "device-7"));
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task A_device_maps_its_first_resource_before_its_first_request(bool isEarly)
    {
        await using var cut = new SecuredPair(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = Key }, isInMemory: true);
        if (isEarly) { cut.Client.Resources.At("lamp").Get(static _ => Response.Content("on")); }
        await cut.Client.GetAsync(cut.Origin + "/who");

        var map = () => cut.Client.Resources.At("fan").Get(static _ => Response.Content("on"));

        if (isEarly) { map.Should().NotThrow(); }
        else { map.Should().Throw<InvalidOperationException>().WithMessage("*Map them before the first request*"); }
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task Bodies_are_transferred_in_blocks(bool isInMemory)
    {
        var body = Enumerable.Range(0, 100_000).Select(static at => (byte)(at * 7)).ToArray();
        await using var cut = new SecuredPair(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = Key }, isInMemory);

        var answer = await cut.Client.PostAsync(cut.Origin + "/echo", body);

        answer.Payload.ToArray().Should().Equal(body);
    }
}
