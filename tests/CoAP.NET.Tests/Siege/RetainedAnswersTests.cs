using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>Answers of the library do not displace the answers of handlers that must not run again.</summary>
public sealed class RetainedAnswersTests : IDisposable
{
    private const int Capacity = 64;

    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _honest;
    private readonly LaneEnd _server;
    private int _calls;

    public RetainedAnswersTests()
    {
        _honest = ScriptedPeer.Client(_wire, "honest");
        _server = LaneEnd.Server(
            _wire,
            map =>
            {
                map.At("count").Post(_ => Count(), HandlerMode.Inline);
                map.At("guarded").Post(_ => Count(), HandlerMode.Inline).Authorize(static _ => AuthorizationDecision.Deny());
                map.At("readable").Get(static _ => Response.Content("a"), HandlerMode.Inline);
            },
            new CoapServerSettings { Deduplication = new() { Capacity = Capacity, AnswerBufferSize = 64 << 10 } });
    }

    public void Dispose()
    {
        _honest.Dispose();
        _server.Dispose();
    }

    [Theory]
    [InlineData("/none"), InlineData("/readable"), InlineData("/guarded")]
    public void A_duplicate_is_recognized_after_many_forged_requests(string path)
    {
        const string Post = "CON [0x0001] POST /count (Token 0x01)";
        _honest.Send(Post);
        _honest.Expect("ACK [0x0001] 2.04 Changed (Token 0x01)");

        for (var i = 0; i < 4 * Capacity; i++)
        {
            using var forged = ScriptedPeer.Client(_wire, $"forged{i}");
            forged.Send($"CON [0x0001] POST {path} (Token 0x01)");
            forged.TakeAll(seconds: 0);
        }

        _honest.Send(Post);
        _honest.Expect("ACK [0x0001] 2.04 Changed (Token 0x01)");
        _calls.Should().Be(1);
    }

    private CoapResponse Count()
    {
        _calls++;
        return Response.Changed;
    }
}
