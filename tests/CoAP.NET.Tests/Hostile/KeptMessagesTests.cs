using CoAP.Blockwise;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Small bodies in messages with large options: whatever the server keeps of them is charged.</summary>
/// <remarks>In the scripts, 19 is Q-Block1, 31 is Q-Block2, 292 is Request-Tag, and 65000 is an elective option that is part of the cache
/// key.</remarks>
public sealed class KeptMessagesTests : IDisposable
{
    private const int Large = 2000;
    private const int Overhead = 1024;

    private static readonly string Option = $"65000: 0x{string.Concat(Enumerable.Repeat("ab", Large))}";

    private readonly Wire _wire = new(new ManualClock());
    private LaneEnd _server;

    public KeptMessagesTests() => _server = Server(new AmplificationSettings());

    private long Used => _server.Lane.Ledger.Bodies.Used;

    public void Dispose() => _server.Dispose();

    [Fact, Trait("RFC", "9177 4.4")]
    public void Responses_with_Q_Block2_to_forged_requests_are_charged_with_the_key_and_an_overhead()
    {
        Restart(new AmplificationSettings { ExemptsLoopback = false });
        var kept = 0;
        for (var peer = 0; peer < 100; peer++)
        {
            using var forged = ScriptedPeer.Client(_wire, $"forged{peer}");
            forged.Send($"CON [0x0001] POST /echo {{31: 0x00, {Option}}} '0123456789abcdefg'");
            forged.TakeAll(seconds: 0.01);
            kept += forged.Received.Any(static bytes => WireMessage.Read(bytes).Code == 0x45) ? 1 : 0;
        }

        kept.Should().BeInRange(1, 99);
        Used.Should().BeGreaterThanOrEqualTo(kept * (Overhead + Large + 17)).And.BeLessThan(kept * (Overhead + Large + 250));
        Used.Should().Be(_server.Lane.Ledger.Bodies.HeldBy(Account.Unverified));
        _wire.RunFor(TimeSpan.FromMinutes(10));
        Used.Should().Be(0);
    }

    [Theory, Trait("RFC", "9177 4.4")]
    [InlineData("echo", Overhead + Large)]
    [InlineData("guarded", Overhead + (2 * Large))]
    public void A_request_is_charged_with_its_response_if_authorizers_need_it(string path, int least)
    {
        using var client = ScriptedPeer.Client(_wire);

        client.Send($"NON [0x0001] POST /{path} {{31: 0x00, {Option}}} '0123456789abcdefg'");
        client.TakeAll(seconds: 0);

        Used.Should().BeInRange(least, least + 250);
    }

    [Fact, Trait("RFC", "9177 4.3")]
    public void A_body_with_Q_Block1_is_charged_with_its_key_before_and_after_it_is_complete()
    {
        using var client = ScriptedPeer.Client(_wire);

        client.Send($"NON [0x0001] POST /echo {{19: 0x08, Size1: 17, 292: 0x09, {Option}}} '0123456789abcdef'");
        client.TakeAll(seconds: 0);
        Used.Should().BeInRange(Overhead + Large, Overhead + Large + 250);

        client.Send($"NON [0x0002] POST /echo {{19: 0x10, Size1: 17, 292: 0x09, {Option}}} 'g'");
        client.TakeAll(seconds: 0);
        client.Received.Should().ContainSingle();
        Used.Should().BeInRange(Overhead + Large + 17, Overhead + Large + 250);
        client.TakeAll(seconds: 600);
        Used.Should().Be(0);
    }

    [Fact, Trait("RFC", "9177 4.3")]
    public void Finished_bodies_for_which_there_is_no_room_displace_the_oldest_of_their_account()
    {
        using var client = ScriptedPeer.Client(_wire);
        var limit = _server.Lane.Ledger.Bodies.LargestShare;

        for (var number = 0x10; number < 0x90; number++)
        {
            client.Send($"NON [0x{number:x4}] POST /echo {{19: 0x00, Size1: 4, 292: 0x{number:x2}, {Option}}} 'body'");
            client.TakeAll(seconds: 0);
            WireMessage.Read(client.Received[^1]).Code.Should().Be(0x45);
        }

        Used.Should().BeInRange(limit - 4096, limit);
    }

    [Fact]
    public void A_streamed_body_is_charged_with_its_key()
    {
        using var client = ScriptedPeer.Client(_wire);

        client.Send($"CON [0x0001] PUT /stream {{Block1: 0/1/16, {Option}}} '0123456789abcdef'");
        client.TakeAll(seconds: 0);

        Used.Should().BeGreaterThanOrEqualTo(4096 + Overhead + Large);
    }

    [Fact]
    public void A_payload_that_is_kept_does_not_keep_its_message()
    {
        var message = new byte[60_000];

        System.Runtime.InteropServices.MemoryMarshal.TryGetArray(KeptPayload.Of(message.AsMemory(1000, 16)), out var kept);

        kept.Array.Should().HaveCount(16);
        KeptPayload.Of(message.AsMemory(100)).Length.Should().Be(59_900);
    }

    [Theory, Trait("RFC", "7252 5.4.5")]
    [InlineData("CON", "ACK [0x0001] 4.02 Bad Option {Content-Format: 257} '*'")]
    [InlineData("NON", "RST [0x0001]")]
    public void Too_many_requested_blocks_are_rejected(string type, string reaction)
    {
        using var client = ScriptedPeer.Client(_wire);

        client.Send($"{type} [0x0001] GET /echo {{{string.Join(", ", Enumerable.Repeat("31: 0x10", 257))}}}");

        client.Expect(reaction);
    }

    private void Restart(AmplificationSettings amplification)
    {
        _server.Dispose();
        _server = Server(amplification);
    }

    private LaneEnd Server(AmplificationSettings amplification) => LaneEnd.Server(_wire, Map, new CoapServerSettings
    {
        Amplification = amplification,
        ServerTransfers = new() { MaxTotalSize = 256 << 10, StreamWindow = 4096 },
    });

    private static void Map(ResourceMap map)
    {
        map.At("echo").Post(static request => Response.Content(request.Payload, ContentFormats.OctetStream), HandlerMode.Inline);
        map.At("guarded").Post(static request => Response.Content(request.Payload, ContentFormats.OctetStream), HandlerMode.Inline)
            .Authorize(static _ => AuthorizationDecision.Allow(TimeSpan.FromDays(1)));
        map.At("stream").Put(static (_, cancellationToken) => Wait(cancellationToken)).StreamsBody();
    }

    private static async ValueTask<CoapResponse> Wait(CancellationToken cancellationToken)
    {
        await Task.Delay(Timeout.Infinite, cancellationToken);
        return Response.Changed;
    }
}
