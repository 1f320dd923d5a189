using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>When authorizers are called for a body that a server sends with Q-Block2, and when it stops. Blocks have 16 bytes.</summary>
public sealed class AuthorizedRobustTests : IDisposable
{
    private const int Set = 10;

    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private readonly LaneEnd _server;
    private readonly string _body = new('x', 16 * Set * 20);
    private readonly List<TimeSpan> _asked = [];
    private TaskCompletionSource<AuthorizationDecision>? _pending;
    private AuthorizationDecision _decision = AuthorizationDecision.Allow();

    public AuthorizedRobustTests()
    {
        _client = ScriptedPeer.Client(_wire);
        _server = LaneEnd.Server(
            _wire,
            map => map.At("r").Authorize(Decide).Get(_ => Response.Content(_body), HandlerMode.Inline),
            new CoapServerSettings
            {
                ServerTransfers = new() { MaxDatagramPayload = 16, PreferredBlockSize = 16 },
                RobustTransfers = new() { AckRandomFactor = 1 },
            });
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void A_revoked_right_ends_the_body_before_its_next_set()
    {
        Start();
        _decision = AuthorizationDecision.Deny();
        var sent = _client.Received.Count;

        _client.TakeAll(seconds: 300);

        _client.Received.Skip(sent).Should().ContainSingle("the refusal is sent once").Which[1].Should().Be(ResponseCode.Unauthorized.Value);
        _server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact]
    public void The_authorizer_is_asked_once_for_each_set()
    {
        Start();

        _client.TakeAll(seconds: 4);

        _client.Received.Should().HaveCount(3 * Set);
        _asked.Should().Equal(TimeSpan.Zero, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(4));
    }

    [Fact]
    public void A_decision_that_has_not_expired_covers_further_sets()
    {
        _decision = AuthorizationDecision.Allow(TimeSpan.FromMinutes(1));
        Start();

        _client.TakeAll(seconds: 4);

        _client.Received.Should().HaveCount(3 * Set);
        _asked.Should().ContainSingle();
    }

    [Fact]
    public void A_late_decision_continues_the_body()
    {
        Start();
        _pending = new();
        _client.TakeAll(seconds: 5);
        _client.Received.Should().HaveCount(Set);

        NoContext.Run(() => _pending.TrySetResult(AuthorizationDecision.Allow()));
        _client.TakeAll(seconds: 0);

        _client.Received.Should().HaveCount(2 * Set);
    }

    [Fact, Trait("RFC", "9177 7.2")]
    public void A_client_that_is_not_heard_gets_no_further_sets_until_it_requests_blocks()
    {
        Start();
        _client.TakeAll(seconds: 60);
        var sent = _client.Received.Count;
        sent.Should().Be(8 * Set, "16 s are 4 times NON_RECEIVE_TIMEOUT");

        _client.Send("NON [0x02] GET /r (Token 0xc1) {31: 0x10}");
        _client.TakeAll(seconds: 2.5);

        _client.Received.Should().HaveCount(sent + 1 + Set);
    }

    private void Start()
    {
        _client.Send("NON [0x01] GET /r (Token 0xc0) {31: 0x08}");
        _client.TakeAll(seconds: 0);
        _client.Received.Should().HaveCount(Set);
    }

    private ValueTask<AuthorizationDecision> Decide(RequestHead request, CancellationToken cancellationToken)
    {
        _asked.Add(_wire.Time.Elapsed);
        return _pending is { } pending ? new(pending.Task) : new(_decision);
    }
}
