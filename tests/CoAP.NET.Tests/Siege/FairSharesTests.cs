using CoAP.Accounting;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>An honest peer is served while others have filled a limit: from forged addresses, or from addresses of their own that they have proven.</summary>
public sealed class FairSharesTests : IDisposable
{
    private const int Limit = 64;
    private const int Attempts = 200;

    private static readonly string Block = new('x', 512);

    private readonly Wire _wire = new(new ManualClock());
    private readonly LateAnswer _late = new();
    private readonly LaneEnd _server;
    private int _messageId;
    private int _peers;

    public FairSharesTests() => _server = LaneEnd.Server(
        _wire,
        map =>
        {
            map.At("late").Get(_late.HandleAsync);
            map.At("state").Observable().Get(_ => Response.Content("a"), HandlerMode.Inline);
            map.At("body").Put(request => Response.Content($"{request.Payload.Length}"), HandlerMode.Inline);
            map.At("large").Get(_ => Response.Content(new string('x', 5000)), HandlerMode.Inline);
        },
        new CoapServerSettings
        {
            MaxPendingRequests = Limit,
            ServerObservations = new() { MaxObservations = Limit },
            ServerTransfers = new() { MaxTotalSize = Limit << 10 },
            Amplification = new() { ExemptsLoopback = false },
            Ledger = new() { AccountOf = static (peer, _) => peer.ToString().StartsWith("attacker", StringComparison.Ordinal) ? Account.Of("attacker") : null },
        });

    private Ledger Ledger => _server.Lane.Ledger;

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("forged"), InlineData("attacker")]
    public void Requests_of_others_that_wait_for_their_handler_leave_room(string name)
    {
        Attack(name, "GET /late");
        using var honest = ScriptedPeer.Client(_wire, "honest");

        Ledger.Requests.Used.Should().Be(name == "forged" ? Limit / 8 : Limit / 2);
        var (called, used) = (_late.Calls, Ledger.Requests.Used);
        Ask(honest, "GET /late");
        (_late.Calls, Ledger.Requests.Used).Should().Be((called + 1, used + 1), "the handler was called for the honest peer");
    }

    [Fact]
    public void Requests_that_are_answered_at_once_need_no_room()
    {
        Attack("forged", "GET /late");
        using var honest = ScriptedPeer.Client(_wire, "honest");

        honest.Send("CON [0x7777] GET /state (Token 0x01)");

        honest.Expect("ACK [0x7777] 2.05 Content (Token 0x01) {Content-Format: 0} 'a'");
    }

    [Theory]
    [InlineData("forged"), InlineData("attacker")]
    public void Observations_of_others_leave_room(string name)
    {
        Attack(name, "GET /state {Observe: 0}");
        using var honest = ScriptedPeer.Client(_wire, "honest");

        Ledger.Observations.Used.Should().Be(name == "forged" ? Limit / 8 : Limit / 2);
        var used = Ledger.Observations.Used;
        Ask(honest, "GET /state {Observe: 0}");
        Ledger.Observations.Used.Should().Be(used + 1);
    }

    [Theory]
    [InlineData("forged", "PUT /body {Block1: 0/1/512} '512'"), InlineData("attacker", "PUT /body {Block1: 0/1/512} '512'")]
    [InlineData("forged", "GET /large {Block2: 0/0/64}"), InlineData("attacker", "GET /large {Block2: 0/0/64}")]
    [InlineData("forged", "GET /large {31: 0x08}"), InlineData("attacker", "GET /large {31: 0x08}")]
    public void Bodies_of_others_leave_room(string name, string request)
    {
        Attack(name, request);
        using var honest = ScriptedPeer.Client(_wire, "honest");

        if (name == "forged") { Ledger.Bodies.Used.Should().Be(0, "an address that may be forged gets no room"); }
        else { Ledger.Bodies.Used.Should().BeInRange(1, Limit << 9); }
        Prove(honest);
        honest.Send($"CON [{NextId()}] PUT /body (Token 0x01) {{Block1: 0/1/512}} '{Block}'");
        honest.TakeAll(seconds: 0);
        CodeOf(honest).Should().Be("2.31");
        Ledger.Bodies.HeldBy(Account.Of("honest")).Should().BePositive();
    }

    [Fact]
    public void Charges_are_released_when_their_reason_ends()
    {
        Attack("attacker", "GET /late");
        Attack("attacker", "GET /state {Observe: 0}");
        Attack("attacker", "PUT /body {Block1: 0/1/512} '512'");

        for (var left = _late.Calls; left > 0; left--) { _late.Answer(Response.Changed); }
        using var clock = ScriptedPeer.Client(_wire, "clock");
        clock.TakeAll(seconds: 25 * 3600);      // an observer that has proven its address is asked after a day whether it still exists

        (Ledger.Requests.Used, Ledger.Observations.Used, Ledger.Bodies.Used).Should().Be((0, 0, 0));
        (Ledger.Requests.Count, Ledger.Observations.Count, Ledger.Bodies.Count).Should().Be((0, 0, 0));
    }

    private static string CodeOf(ScriptedPeer peer) => WireMessage.Read(peer.Received[^1]) is { Code: var code } ? $"{code >> 5}.{code & 31:d2}" : "";

    private string NextId() => $"0x{++_messageId:x4}";

    private void Attack(string name, string request)
    {
        request = request.Replace("'512'", $"'{Block}'", StringComparison.Ordinal);
        for (var i = 0; i < Attempts; i++)
        {
            using var attacker = ScriptedPeer.Client(_wire, $"{name}{++_peers}");
            if (name == "attacker") { Prove(attacker); }
            attacker.Send($"NON [{NextId()}] {WithToken(request)}");
            attacker.TakeAll(seconds: 0);
        }
    }

    // Sends the request, and again with the Echo option that the server asks for.
    private void Ask(ScriptedPeer peer, string request)
    {
        peer.Send($"CON [{NextId()}] {WithToken(request)}");
        peer.TakeAll(seconds: 0);
        if (peer.Received.Count == 0 || CodeOf(peer) != "4.01") { return; }
        Prove(peer);
        peer.Send($"CON [{NextId()}] {WithToken(request)}");
        peer.TakeAll(seconds: 0);
    }

    private void Prove(ScriptedPeer peer)
    {
        var first = NextId();
        peer.Send($"CON [{first}] GET /large (Token 0x77)");
        peer.Expect($"ACK [{first}] 4.01 Unauthorized (Token 0x77) {{Max-Age: 0, Echo: E}}");
        peer.Send($"CON [{NextId()}] GET /state (Token 0x78) {{Echo: E}}");
        peer.TakeAll(seconds: 0);
    }

    private static string WithToken(string request) =>
        request.IndexOfAny(['{', '\'']) is var at && at < 0 ? $"{request} (Token 0x01)" : request.Insert(at, "(Token 0x01) ");
}
