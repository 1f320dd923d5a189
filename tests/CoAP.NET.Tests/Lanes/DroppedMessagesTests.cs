using CoAP.Lanes;
using CoAP.TestSupport;

namespace CoAP.Tests.Lanes;

/// <summary>Each dropped message is counted with its reason.</summary>
public sealed class DroppedMessagesTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private readonly LaneEnd _server;

    public DroppedMessagesTests()
    {
        _client = ScriptedPeer.Client(_wire);
        _server = LaneEnd.Server(_wire, map => map.At("a").Get(_ => Response.Content("x"), HandlerMode.Inline).LimitRate(new RateLimit { Requests = 1, Per = TimeSpan.FromHours(1) }));
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Theory]
    [InlineData("80", nameof(FormatError.UnknownVersion))]
    [InlineData("40", nameof(FormatError.Truncated))]
    [InlineData("4f010001", nameof(FormatError.ReservedTokenLength))]
    public void A_malformed_message_is_counted_by_its_error(string bytes, string error)
    {
        _client.SendBytes(bytes);
        _client.TakeAll(seconds: 1);

        Enum.GetValues<FormatError>().Where(one => _server.Lane.Metrics[one] > 0).Should().ContainSingle().Which.ToString().Should().Be(error);
        _server.Lane.Metrics[LaneCounters.Malformed].Should().Be(1);
    }

    [Fact]
    public void A_duplicate_without_a_reaction_is_counted()
    {
        _client.Send("NON [0x0001] GET /a (Token 0x01)");
        _client.Send("NON [0x0001] GET /a (Token 0x01)");
        _client.TakeAll(seconds: 1);

        _server.Lane.Metrics[LaneCounters.IgnoredDuplicates].Should().Be(1);
    }

    [Fact]
    public void A_request_above_the_rate_is_counted()
    {
        _client.Send("NON [0x0001] GET /a (Token 0x01)");
        _client.Send("NON [0x0002] GET /a (Token 0x01)");
        _client.TakeAll(seconds: 1);

        _server.Lane.Metrics[LaneCounters.TooFrequent].Should().Be(1);
    }

    [Fact]
    public void A_message_that_belongs_to_nothing_is_counted()
    {
        _client.Send("ACK [0x0001] 2.05 Content (Token 0x01) 'x'");
        _client.TakeAll(seconds: 1);

        _server.Lane.Metrics[LaneCounters.Unmatched].Should().Be(1);
    }
}
