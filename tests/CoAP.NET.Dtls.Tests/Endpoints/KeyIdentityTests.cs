using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Identities of pre-shared keys that are not text (RFC 4279, section 5.1).</summary>
public sealed class KeyIdentityTests
{
    private static readonly byte[] Key = [.. "a key of 16 bytes"u8];

    [Theory, Trait("RFC", "4279 5.1"), InlineData("FF", 1), InlineData("C328", 1), InlineData("61", 255)]
    public void A_server_finds_the_key_of_an_identity_of_any_bytes(string digits, int count)
    {
        byte[] identity = [.. Enumerable.Repeat(Convert.FromHexString(digits), count).SelectMany(static one => one)];
        var wire = new Wire(new ManualClock());
        using var server = LaneEnd.Server(
            wire, static _ => { }, new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(new PreSharedKey(identity, Key)), ComputesOnLane = true } });
        using var cut = new ScriptedClient(wire) { Identity = identity };

        cut.Begin();
        for (var flight = 0; flight < 4; flight++)
        {
            cut.Send();
            wire.RunFor(TimeSpan.FromMilliseconds(10));
            cut.Receive();
        }

        cut.Machine.IsDone.Should().BeTrue();
    }

    // The last one is the first one in another normal form of Unicode.
    [Theory, Trait("RFC", "7925 4.2"), InlineData("caf\u00e9", true), InlineData("Caf\u00e9", false), InlineData("caf\u00e9 ", false), InlineData("cafe\u0301", false)]
    public async Task Identities_are_compared_byte_by_byte(string identity, bool isFound)
    {
        var store = PskStore.From(new PreSharedKey("caf\u00e9", Key));

        var found = await store.FindAsync(new PskRequest(identity, "", default) { IdentityBytes = System.Text.Encoding.UTF8.GetBytes(identity) }, default);

        (found is not null).Should().Be(isFound);
    }

    [Fact]
    public void No_text_has_the_name_of_bytes_and_no_name_of_a_server_hides_in_an_identity()
    {
        byte[][] identities = [[0xFF], [0], [.. "0xff"u8], [.. "ff"u8], [.. "x"u8], [.. "@a x"u8], [.. "a x"u8], [.. "a"u8, 0, .. "x"u8]];
        string?[] names = [null, "a", "a b", "a@b", "a%20b"];

        var all = from identity in identities from name in names select KeyCredentials.Of(identity, name);
        PeerCredentials[] credentials = [.. all];

        credentials.Select(static one => one.Identity).Should().OnlyHaveUniqueItems().And.NotContainNulls();
        credentials.Select(static one => PeerIdentifierOf(one)).Should().OnlyHaveUniqueItems();
        KeyCredentials.Of([.. "x"u8], null).Identity.Should().Be("key x", "as in earlier versions");
        KeyCredentials.Of([0xFF], null).PreSharedKeyIdentity.Should().BeNull();
    }

    [Fact]
    public void A_client_says_that_OpenSSL_cannot_send_an_identity()
    {
        var zero = () => new DtlsClientSettings { PreSharedKey = new PreSharedKey([1, 0, 2], Key) };
        var tooLong = () => new DtlsClientSettings { PreSharedKey = new PreSharedKey(new string('a', 256), Key) };
        var none = () => new PreSharedKey(new string('a', 257), Key);
        var text = () => new PreSharedKey("a\0b", Key);

        zero.Should().Throw<ArgumentException>().WithMessage("*0x010002*zero byte*OpenSSL cannot send*");
        tooLong.Should().Throw<ArgumentException>().WithMessage("*256 bytes*at most 255*");
        none.Should().Throw<ArgumentException>().WithMessage("*257 bytes; 1 to 256*");
        text.Should().Throw<ArgumentException>().WithMessage("*null character*Use bytes*");
    }

    [Fact]
    public void A_key_that_is_chosen_for_a_server_and_cannot_be_sent_fails_the_call_with_the_reason()
    {
        var wire = new Wire(new ManualClock());
        var settings = new DtlsClientSettings { SelectPreSharedKey = static _ => new PreSharedKey([1, 0, 2], Key), ComputesOnLane = true };
        using var cut = LaneEnd.Client(wire, new CoapClientSettings { Dtls = settings });

        var answer = cut.Send(new CoapRequest(RequestCode.Get, "/who"), PeerNames.OfServer(wire.Server, "server"));
        wire.RunUntil(() => answer.IsCompleted);

        answer.Exception!.InnerException.Should().BeOfType<CoapSecurityException>().Which.Message.Should().Contain("0x010002").And.Contain("zero byte");
    }

    [Fact]
    public void Only_reading_the_name_of_the_server_counts_as_its_use()
    {
        var use = new NameUse();
        var request = new PskRequest("device-7", "a.example", default) { NameUse = use };

        request.ToString().Should().Contain("a.example");
        request.Should().Be(new PskRequest("device-7", "a.example", default)).And.NotBe(new PskRequest("device-7", "b.example", default));
        _ = request.GetHashCode();
        use.IsUsed.Should().BeFalse();
        (request with { Identity = "device-8" }).ServerName.Should().Be("a.example");
        use.IsUsed.Should().BeTrue();
    }

    private static string PeerIdentifierOf(PeerCredentials credentials) =>
        CoAP.Vocabulary.PeerPrincipal.IdentityOf(credentials)!.FindFirst(System.Security.Claims.ClaimTypes.NameIdentifier)!.Value;
}
