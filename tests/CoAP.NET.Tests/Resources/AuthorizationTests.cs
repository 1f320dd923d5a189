using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Resources;

/// <summary>When authorizers are called for requests, and what a denied request gets.</summary>
public sealed class AuthorizationTests : AuthorizationScene
{
    [Fact, Trait("RFC", "7252 5.9.2.2")]
    public void A_peer_without_credentials_gets_4_01_by_default_and_the_handler_is_not_called()
    {
        Serve();
        _denied.Add("client");

        _client.Send("CON [0x0001] GET /r (Token 0x01)");

        _client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x01) {Max-Age: 0}");
        _handled.Should().BeEmpty();
    }

    [Fact]
    public void An_authorizer_that_blocks_its_lane_is_logged_once_for_each_resource()
    {
        _server = LaneEnd.Server(_wire, map => map.At("r/{id}").Get(_ => Response.Changed, HandlerMode.Inline).Authorize(_ =>
        {
            _wire.Time.Advance(TimeSpan.FromSeconds(3));
            return AuthorizationDecision.Allow();
        }));

        _client.Send("CON [0x0001] GET /r/1 (Token 0x01)");
        _client.Send("CON [0x0002] GET /r/2 (Token 0x02)");
        _client.TakeAll(seconds: 60);

        _server.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should()
            .StartWith("The authorizer of /r/{id} blocked its lane, and all other requests on that lane, for 3.0 s. Make it asynchronous.");
    }

    [Fact]
    public void The_response_of_a_denial_is_sent_as_it_is()
    {
        _server = LaneEnd.Server(
            _wire, map => map.At("r").Get(_ => Response.NotFound).Authorize(_ => AuthorizationDecision.Deny(Response.Error(ResponseCode.Forbidden, "no"))));

        _client.Send("CON [0x0001] GET /r (Token 0x01)");

        _client.Expect("ACK [0x0001] 4.03 Forbidden (Token 0x01) 'no'");
    }

    [Fact]
    public void A_decision_that_does_not_expire_has_the_longest_lifetime()
    {
        AuthorizationDecision.Allow(TimeSpan.MaxValue).Lifetime.Should().Be(TimeSpan.MaxValue);
        var infinite = () => AuthorizationDecision.Allow(Timeout.InfiniteTimeSpan);
        infinite.Should().Throw<ArgumentOutOfRangeException>().WithMessage("*Use TimeSpan.MaxValue for a decision that does not expire.*");
    }

    [Fact]
    public void A_missing_resource_is_named()
    {
        var authorize = () => ((Resource)null!).Authorize(_ => AuthorizationDecision.Allow());

        authorize.Should().Throw<ArgumentNullException>().WithParameterName("resource");
    }

    [Fact]
    public void The_default_decision_denies() => default(AuthorizationDecision).IsAllowed.Should().BeFalse();

    [Fact]
    public void An_authorizer_that_returns_after_the_end_of_its_lane_releases_its_charges_once()
    {
        Serve();
        _pending = new();
        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _client.TakeAll(seconds: 0);
        var ledger = _server!.Lane.Ledger;
        var held = (ledger.Requests.Used, ledger.Authorizations.Used);

        _server.Dispose();
        var after = (ledger.Requests.Used, ledger.Authorizations.Used);
        NoContext.Run(() => _pending.TrySetResult(AuthorizationDecision.Allow()));

        held.Should().Be((1, 1));
        after.Should().Be((1, 1), "the authorizer has not returned");
        (ledger.Requests.Used, ledger.Authorizations.Used).Should().Be((0, 0));
    }

    [Fact]
    public void Another_resource_is_not_affected()
    {
        Serve();
        _denied.Add("client");

        _client.Send("CON [0x0001] GET /open (Token 0x01)");

        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'open'");
        _asked.Should().BeEmpty();
    }

    // Otherwise 4.04 and 4.05 would show an unauthorized peer which resources exist.
    [Theory]
    [InlineData("GET /open"), InlineData("GET /none"), InlineData("DELETE /open"), InlineData("GET /.well-known/core")]
    public void The_authorizer_of_a_server_decides_about_every_path(string request)
    {
        _server = LaneEnd.Server(_wire, map =>
        {
            CoAP.Resources.AuthorizerChain.AddTo(map.Features, (_, _) => new(AuthorizationDecision.Deny()));
            map.At("open").Get(_ => Response.NotFound);
        });

        _client.Send($"CON [0x0001] {request} (Token 0x01)");

        _client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x01) {Max-Age: 0}");
    }

    [Fact]
    public void A_body_is_refused_with_its_first_block()
    {
        Serve();
        _denied.Add("client");

        _client.Send("CON [0x0001] PUT /r (Token 0x01) {Block1: 0/1/16} '0123456789abcdef'");

        _client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x01) {Max-Age: 0}");
        _server!.Lane.Ledger.Bodies.Used.Should().Be(0);
    }

    // Client              Server
    //    | CON [1] PUT 1:0/1/16 |
    //    +--------------------->|
    //    | ACK [1]              |  the authorizer takes its time
    //    |<---------------------+
    //    | NON [X] 4.01 (Echo)  |  sent once: no body is kept for an address that may be forged
    //    |<---------------------+
    [Fact, Trait("RFC", "9175 2.4")]
    public void A_challenge_after_a_slow_decision_is_not_confirmable()
    {
        _settings = new() { Amplification = new() { ExemptsLoopback = false } };
        Serve();
        _pending = new();
        _client.Send("CON [0x0001] PUT /r (Token 0x01) {Block1: 0/1/16} '0123456789abcdef'");
        _client.Expect("ACK [0x0001]", at: 0.25);

        NoContext.Run(() => _pending.TrySetResult(AuthorizationDecision.Allow()));

        _client.Expect("NON [X] 4.01 Unauthorized (Token 0x01) {Max-Age: 0, Echo: E}");
        _client.ExpectNothing(seconds: 300);
    }

    [Theory]
    [InlineData(0, 3), InlineData(60, 1), InlineData(4, 2)]
    public void The_lifetime_decides_how_often_the_authorizer_is_called_for_a_body(int lifetimeInSeconds, int calls)
    {
        Serve();
        _lifetime = TimeSpan.FromSeconds(lifetimeInSeconds);

        for (var block = 0; block < 3; block++)
        {
            var more = block < 2 ? 1 : 0;
            _client.Send($"CON [0x000{block}] PUT /r (Token 0x01) {{Block1: {block}/{more}/16}} '0123456789abcdef'");
            _client.Expect($"ACK [0x000{block}] {(more == 1 ? "2.31 Continue" : "2.04 Changed")} (Token 0x01) {{Block1: {block}/{more}/16}}");
            _wire.RunFor(TimeSpan.FromSeconds(2));
        }

        _asked.Should().HaveCount(calls);
        _handled.Should().ContainSingle();
    }

    [Fact]
    public void A_decision_about_another_peer_or_path_is_not_used()
    {
        Serve();
        _lifetime = TimeSpan.FromMinutes(1);
        using var other = ScriptedPeer.Client(_wire, "other");

        foreach (var (peer, path) in new[] { (_client, "/r?a"), (_client, "/r?b"), (other, "/r?a") })
        {
            peer.Send($"CON [0x000{_asked.Count}] PUT {path} (Token 0x01) {{Block1: 0/1/16}} '0123456789abcdef'");
            peer.TakeAll(seconds: 0);
        }

        _asked.Should().HaveCount(3);
    }

    // RFC 7959, section 2.10: If-None-Match is for the first block. A later block that also has it is a different request.
    [Theory]
    [InlineData("", 1), InlineData("If-None-Match: , ", 2)]
    public void A_decision_does_not_cover_a_later_block_with_If_None_Match(string option, int calls)
    {
        Serve();
        _lifetime = TimeSpan.FromMinutes(1);

        _client.Send("CON [0x0001] PUT /r (Token 0x01) {Block1: 0/1/16} '0123456789abcdef'");
        _client.TakeAll(seconds: 0);
        _client.Send($"CON [0x0002] PUT /r (Token 0x01) {{{option}Block1: 1/0/16}} '0123456789abcdef'");
        _client.TakeAll(seconds: 0);

        _asked.Should().HaveCount(calls);
    }

    // RFC 7959, section 2.5: block 0 starts a new body.
    [Fact]
    public void A_decision_covers_later_blocks_only()
    {
        Serve();
        _lifetime = TimeSpan.FromMinutes(1);

        for (var message = 0; message < 3; message++)
        {
            _client.Send($"CON [0x000{message}] PUT /r (Token 0x01) {{Block1: 0/1/16}} '0123456789abcdef'");
            _client.TakeAll(seconds: 0);
        }

        _asked.Should().HaveCount(3);
    }

    [Fact]
    public void The_rest_of_a_kept_response_is_refused_once_the_right_is_revoked()
    {
        Serve();
        _client.Send("CON [0x0001] GET /r (Token 0x01) {Block2: 0/0/16}");
        _client.TakeAll(seconds: 0);

        _denied.Add("client");
        _client.Send("CON [0x0002] GET /r (Token 0x02) {Block2: 1/0/16}");

        _client.Expect("ACK [0x0002] 4.01 Unauthorized (Token 0x02) {Max-Age: 0}");
        _handled.Should().ContainSingle();
    }

    [Fact]
    public void A_request_waits_for_its_authorizer_and_a_duplicate_does_not_ask_again()
    {
        Serve();
        _pending = new();

        _client.Send("CON [0x0001] GET /r (Token 0x01) {Accept: 0}");
        _client.ExpectNothing(seconds: 0.1);
        _client.Send("CON [0x0001] GET /r (Token 0x01) {Accept: 0}");
        _client.ExpectNothing(seconds: 0.1);
        NoContext.Run(() => _pending.TrySetResult(AuthorizationDecision.Allow()));

        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} '*'");
        _asked.Should().ContainSingle();
        _server!.Lane.PendingRequests.Should().Be(0);
        _server.Lane.Ledger.Requests.Used.Should().Be(0);
    }

    [Fact]
    public void An_authorizer_that_takes_too_long_costs_the_peer_until_it_returns()
    {
        Serve();
        _pending = new();

        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _client.Expect("ACK [0x0001]", at: 0.25);
        _client.Expect("CON [A] 5.03 Service Unavailable (Token 0x01) {Max-Age: 1}", at: 10);
        _client.Send("ACK [A]");

        _server!.Lane.Ledger.Requests.Used.Should().Be(1);
        NoContext.Run(() => _pending.TrySetResult(AuthorizationDecision.Allow()));
        _client.ExpectNothing(seconds: 1);
        _server.Lane.Ledger.Requests.Used.Should().Be(0);
        _handled.Should().BeEmpty();
    }

    [Fact]
    public void An_authorizer_that_throws_ends_the_request_with_5_00_and_one_log_line()
    {
        _server = LaneEnd.Server(
            _wire, map => map.At("r").Get(_ => Response.NotFound).Authorize(_ => throw new InvalidOperationException("The database is down.")));

        _client.Send("CON [0x0001] GET /r (Token 0x01)");

        _client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'");
        _server.Log.Lines(LogLevel.Error).Should().ContainSingle(line => line.Contains("authorizer", StringComparison.Ordinal));
    }

    [Fact]
    public void All_authorizers_of_a_resource_have_to_allow_a_request()
    {
        _server = LaneEnd.Server(_wire, map => map.At("r").Get(_ => Response.NotFound)
            .Authorize(_ => AuthorizationDecision.Allow()).Authorize(_ => AuthorizationDecision.Deny()));

        _client.Send("CON [0x0001] GET /r (Token 0x01)");

        _client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x01) {Max-Age: 0}");
    }

    [Fact]
    public void A_denial_is_an_error_without_a_stream()
    {
        ((Action)(() => AuthorizationDecision.Deny(Response.Changed))).Should().Throw<ArgumentException>().WithMessage("*2.04*");
        ((Action)(() => AuthorizationDecision.Deny(Response.Error(ResponseCode.Forbidden, "no", new Options.Block2(0, true, 0)))))
            .Should().Throw<ArgumentException>().WithMessage("*block*");
        ((Action)(() => AuthorizationDecision.Deny(Response.Error(ResponseCode.Forbidden, "no", new Options.Observe(1)))))
            .Should().Throw<ArgumentException>().WithMessage("*Observe*");
        ((Action)(() => AuthorizationDecision.Allow(TimeSpan.FromSeconds(-1)))).Should().Throw<ArgumentOutOfRangeException>().WithMessage("*lifetime*");
    }
}
