using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>When authorizers are called for observers and their notifications.</summary>
public sealed class AuthorizedObservationTests : AuthorizationScene
{
    [Fact]
    public void A_decision_about_reading_does_not_cover_observing()
    {
        Serve();
        _lifetime = TimeSpan.FromDays(1);
        _client.Send("CON [0x0001] GET /r (Token 0x01) {Block2: 0/0/64}");
        _client.TakeAll(seconds: 0);
        _denied.Add("client");

        _client.Send("CON [0x0002] GET /r (Token 0x02) {Observe: 0, Block2: 0/0/64}");
        _client.TakeAll(seconds: 0);

        _resource.ObserverCount.Should().Be(0);
    }

    [Theory, Trait("RFC", "7641 4.1")]
    [InlineData(0), InlineData(1)]
    public void A_denied_observer_is_removed_whether_it_registers_again_or_deregisters(int observe)
    {
        Serve();
        _lifetime = TimeSpan.FromDays(1);
        Observe(_client);
        _denied.Add("client");

        _client.Send($"CON [0x0002] GET /r (Token 0x01) {{Observe: {observe}}}");

        _client.Expect("ACK [0x0002] 4.01 Unauthorized (Token 0x01) {Max-Age: 0}");
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void An_authorizer_that_hangs_ends_the_observation()
    {
        Serve();
        Observe(_client);
        _pending = new();

        _resource.NotifyChanged();

        _client.Expect("CON [X] 5.03 Service Unavailable (Token 0x01) {Max-Age: 1}", at: 10);
        NoContext.Run(() => _pending.TrySetResult(AuthorizationDecision.Allow()));
        _client.Send("ACK [X]");
        _client.ExpectNothing(seconds: 60);
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact, Trait("RFC", "7641 4.5.2")]
    public void A_late_decision_does_not_cost_a_retransmission()
    {
        Serve();
        Observe(_client);
        _resource.NotifyChanged();
        _client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} '*'");
        _resource.NotifyChanged();
        _client.ExpectNothing(seconds: 0);
        _pending = new();

        _client.ExpectNothing(seconds: 4);
        NoContext.Run(() => _pending.TrySetResult(AuthorizationDecision.Allow()));

        _client.Expect("CON [Y] 2.05 Content (Token 0x01) {Observe: 3, Content-Format: 0} '*'");
    }

    [Fact]
    public void An_observer_is_not_registered_without_the_right()
    {
        Serve();
        _denied.Add("client");

        _client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");

        _client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x01) {Max-Age: 0}");
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void An_observer_gets_notifications_until_its_decision_expires_and_then_an_error()
    {
        Serve();
        _lifetime = TimeSpan.FromSeconds(10);
        Observe(_client);
        _denied.Add("client");

        _resource.NotifyChanged();
        _client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} '*'");
        _client.Send("ACK [X]");
        _wire.RunFor(TimeSpan.FromSeconds(11));
        _resource.NotifyChanged();

        _client.Expect("CON [Y] 4.01 Unauthorized (Token 0x01) {Max-Age: 0}");
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void A_revoked_observer_does_not_end_the_others()
    {
        Serve();
        using var other = ScriptedPeer.Client(_wire, "other");
        Observe(_client);
        Observe(other);
        _denied.Add("client");

        _resource.NotifyChanged();

        _client.Expect("CON [X] 4.01 Unauthorized (Token 0x01) {Max-Age: 0}");
        other.Expect("CON [Y] 2.05 Content (Token 0x01) {Observe: 3, Content-Format: 0} 'data of other, which takes more than one block'");
        _resource.ObserverCount.Should().Be(1);
    }

    [Theory]
    [InlineData(false), InlineData(true)]
    public void The_handler_does_not_run_for_a_revoked_observer(bool isLate)
    {
        Serve();
        Observe(_client);
        _client.Send("CON [0x0100] GET /r (Token 0x02) {Observe: 0}");
        _client.TakeAll(seconds: 0);
        _handled.Clear();
        _denied.Add("client");
        _pending = isLate ? new() : null;

        _resource.NotifyChanged();
        _client.TakeAll(seconds: 1);
        NoContext.Run(() => _pending?.TrySetResult(AuthorizationDecision.Deny()));

        _client.TakeAll(seconds: 300);
        _handled.Should().BeEmpty();
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void One_decision_covers_the_handler_and_its_notification()
    {
        Serve();
        Observe(_client);
        _asked.Clear();

        _resource.NotifyChanged();

        _client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} '*'");
        _asked.Should().ContainSingle();
    }

    [Fact, Trait("RFC", "7641 4.5")]
    public void The_handler_does_not_run_for_the_daily_notification_of_a_revoked_observer()
    {
        Serve();
        Observe(_client);
        _handled.Clear();
        _denied.Add("client");

        _wire.RunFor(TimeSpan.FromHours(24));

        _client.Expect("CON [X] 4.01 Unauthorized (Token 0x01) {Max-Age: 0}");
        _handled.Should().BeEmpty();
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void An_observer_that_leaves_does_not_keep_the_others_of_its_peer_waiting()
    {
        Serve();
        Observe(_client);
        _client.Send("CON [0x0100] GET /r (Token 0x02) {Observe: 0}");
        _client.TakeAll(seconds: 0);
        _pending = new();
        _resource.NotifyChanged();
        _client.ExpectNothing(seconds: 1);
        _pending = null;

        _client.Send("CON [0x0101] GET /r (Token 0x01) {Observe: 1}");
        _client.Expect("ACK [0x0101] 2.05 Content (Token 0x01) {Content-Format: 0} '*'");

        _client.Expect("CON [X] 2.05 Content (Token 0x02) {Observe: 2, Content-Format: 0} '*'");
    }

    [Fact]
    public void Notifications_wait_while_the_calls_of_authorizers_are_at_their_limit()
    {
        _settings = new() { MaxPendingAuthorizations = 1 };
        Serve();
        using var other = ScriptedPeer.Client(_wire, "other");
        Observe(_client);
        Observe(other);
        _asked.Clear();
        _pending = new();

        _resource.NotifyChanged();
        _wire.RunFor(TimeSpan.FromSeconds(5));
        _asked.Should().ContainSingle("the limit is one call");
        _server!.Lane.Ledger.Authorizations.Used.Should().Be(1);
        NoContext.Run(() => _pending.TrySetResult(AuthorizationDecision.Allow()));

        _client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} '*'");
        other.Expect("CON [Y] 2.05 Content (Token 0x01) {Observe: 3, Content-Format: 0} '*'");
        _server.Lane.Ledger.Authorizations.Used.Should().Be(0);
    }

    [Fact]
    public void A_notification_waits_for_its_authorizer_and_is_sent_once()
    {
        Serve();
        Observe(_client);
        _pending = new();

        _resource.NotifyChanged();
        _resource.NotifyChanged();
        _client.ExpectNothing(seconds: 5);
        NoContext.Run(() => _pending.TrySetResult(AuthorizationDecision.Allow()));

        _client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} '*'");
        _client.Send("ACK [X]");
        _client.ExpectNothing(seconds: 30);
        _asked.Should().HaveCount(2, "once at the registration and once for both changes");
    }
}
