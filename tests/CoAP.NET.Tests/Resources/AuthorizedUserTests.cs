using System.Security.Claims;
using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>The user that an authorizer sees.</summary>
public sealed class AuthorizedUserTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private readonly List<string?> _users = [];
    private readonly List<ClaimsPrincipal> _handled = [];
    private LaneEnd? _server;
    private Resource _resource = null!;

    public AuthorizedUserTests() => _client = ScriptedPeer.Client(_wire);

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
    }

    [Fact]
    public void The_user_of_a_peer_without_credentials_is_anonymous()
    {
        Serve();

        _client.Send("CON [0x0001] GET /r (Token 0x01)");

        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'x'");
        _users.Should().Equal("  0");
    }

    [Fact]
    public void The_user_has_the_claims_of_the_credentials_for_requests_and_notifications_without_what_a_step_adds()
    {
        Serve(MeshLink.Stages(lane => lane.Insert(MeshArrow.FramesIn, new Naming())));

        _client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} 'x'");
        _resource.NotifyChanged();
        _client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} 'x'");

        _users.Should().HaveCountGreaterThan(1).And.AllBe("PreSharedKey sensor-7 0");
    }

    [Fact]
    public void A_handler_does_not_see_what_an_authorizer_adds()
    {
        Serve(MeshLink.Stages(lane => lane.Insert(MeshArrow.FramesIn, new Naming())));

        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'x'");

        _handled.Should().ContainSingle().Which.Claims.Select(static claim => claim.Type).Should().BeEquivalentTo([ClaimTypes.Name, ClaimTypes.NameIdentifier, ClaimTypes.Role]);
    }

    private void Serve(params MeshLink[] links) => _server = LaneEnd.Server(
        _wire,
        map => _resource = map.At("r").Observable().Authorize(Decide).Use(next => (request, cancellationToken) =>
        {
            request.User.AddIdentity(new ClaimsIdentity([new Claim(ClaimTypes.Role, "operator")]));
            return next(request, cancellationToken);
        }).Get(request => { _handled.Add(request.User); return Response.Content("x"); }, HandlerMode.Inline),
        new() { Links = links });

    private AuthorizationDecision Decide(RequestHead request)
    {
        _users.Add($"{request.User.Identity!.AuthenticationType} {request.User.FindFirst(ClaimTypes.NameIdentifier)?.Value} {request.User.FindAll(ClaimTypes.Role).Count()}");
        request.User.AddIdentity(new ClaimsIdentity([new Claim(ClaimTypes.Country, "x")]));
        request.User.Should().BeSameAs(request.User);
        return AuthorizationDecision.Allow();
    }

    private sealed class Naming : InlineStage<Frame, Frame>
    {
        protected override void Process(in Frame item) => Out.Emit(item with { Credentials = new PeerCredentials { PreSharedKeyIdentity = "sensor-7" } });
    }
}
