using System.Collections.Concurrent;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Conditional requests to a resource that names its entity tag (RFC 7252, sections 5.10.6 and 5.10.8).</summary>
public sealed class Rfc7252Section5_10_8Tests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualClock());
    private readonly List<ScriptedPeer> _clients = [];
    private readonly ConcurrentDictionary<string, TaskCompletionSource> _gates = [];
    private readonly ConcurrentQueue<string> _log = [];
    private readonly LaneEnd _server;
    private byte? _state;
    private int _lastId;

    public Rfc7252Section5_10_8Tests() => _server = LaneEnd.Server(_wire, Map);

    public void Dispose()
    {
        _clients.ForEach(static client => client.Dispose());
        _server.Dispose();
    }

    [Theory, Trait("RFC", "7252 5.10.8"), Trait("RFC", "7252 5.4.1")]
    [InlineData("PUT", "If-Match: 0x01")]
    [InlineData("PUT", "If-Match: ")]
    [InlineData("PUT", "If-None-Match: ")]
    [InlineData("GET", "If-Match: 0x01")]
    [InlineData("DELETE", "If-Match: 0x01")]
    public void A_resource_that_declares_nothing_rejects_conditions(string method, string condition)
    {
        Ask($"{method} /undeclared", condition).Should().StartWith("4.02", "the option is critical").And.Contain("does not evaluate conditions");
        _log.Should().BeEmpty("the handler must not run");
    }

    [Theory, Trait("RFC", "7252 5.10.8.1")]
    [InlineData(null, "If-Match: 0x01", "4.12")]
    [InlineData(null, "If-Match: ", "4.12")]
    [InlineData(1, "If-Match: 0x01", "2.04")]
    [InlineData(2, "If-Match: 0x01", "4.12")]
    [InlineData(2, "If-Match: 0x01, If-Match: 0x02", "2.04")]
    [InlineData(1, "If-Match: 0x0100", "4.12")]
    [InlineData(1, "If-Match: ", "2.04")]
    public void If_Match_needs_the_current_tag(int? state, string condition, string code) => Put(state, condition, code);

    [Theory, Trait("RFC", "7252 5.10.8.2")]
    [InlineData(null, "If-None-Match: ", "2.04")]
    [InlineData(1, "If-None-Match: ", "4.12")]
    [InlineData(1, "If-Match: 0x01, If-None-Match: ", "4.12")]
    [InlineData(1, "", "2.04")]
    public void If_None_Match_needs_the_absence_of_the_resource(int? state, string condition, string code) => Put(state, condition, code);

    [Theory, Trait("RFC", "7252 5.10.6.2"), Trait("RFC", "7252 5.9.1.3")]
    [InlineData("", "2.05", "GET")]
    [InlineData("ETag: 0x01", "2.03", "")]
    [InlineData("ETag: 0x02", "2.05", "GET")]
    [InlineData("ETag: 0x02, ETag: 0x01", "2.03", "")]
    [InlineData("If-Match: 0x02", "4.12", "")]
    [InlineData("If-Match: 0x02, ETag: 0x01", "4.12", "")]
    public void GET_validates_the_current_tag(string options, string code, string calls)
    {
        _state = 1;

        var answer = Ask("GET /thing", options);

        answer.Should().StartWith(code);
        if (code[0] == '2') { answer.Should().Contain("ETag 01"); }
        string.Join(' ', _log).Should().Be(calls);
    }

    [Theory, Trait("RFC", "7252 5.9.1.3")]
    [InlineData("", "2.05", 3600)]
    [InlineData("ETag: 0x01", "2.03", 3600)]
    [InlineData("ETag: 0x01", "2.03", null, "thing")]
    public void A_validation_keeps_the_lifetime_of_the_representation(string options, string code, int? seconds, string path = "hour")
    {
        _state = 1;

        var answer = Ask($"GET /{path}", options);

        answer.Should().StartWith(code);
        answer[(answer.IndexOf("Max-Age", StringComparison.Ordinal) is >= 0 and var at ? at : answer.Length)..].Trim().Should().Be(seconds is null ? "" : $"Max-Age {seconds}");
    }

    [Fact, Trait("RFC", "7252 5.10.6.1")]
    public void A_tag_that_the_handler_sets_stays()
    {
        _state = 1;

        Ask("GET /thing?own", "").Should().Contain("ETag 99");
    }

    [Fact, Trait("RFC", "7252 5.10.8")]
    public void A_handler_that_evaluates_conditions_itself_gets_them() =>
        Ask("PUT /handler", "If-Match: 0x07").Should().StartWith("2.04");

    [Fact, Trait("RFC", "7252 5.10.8.1")]
    public void Between_the_comparison_and_the_end_of_the_handler_no_other_request_changes_the_path()
    {
        _state = 1;
        var (first, second) = (Join("first"), Join("second"));
        Send(first, "PUT /slow/a", "If-Match: 0x01");
        Send(second, "PUT /slow/a", "If-Match: 0x01");
        Send(second, "PUT /slow/b", "");
        _log.Should().Equal("PUT a", "PUT b");

        Open("a", answers: 2);

        CodesOf(first).Should().Equal("2.04");
        CodesOf(second).Should().Equal("4.12");
        Open("b", answers: 3);
        CodesOf(second).Should().Equal("4.12", "2.04");
    }

    [Fact, Trait("RFC", "7252 5.10.8.1")]
    public void A_client_with_many_requests_to_a_path_does_not_delay_the_others()
    {
        _state = 1;
        var (greedy, honest) = (Join("greedy"), Join("honest"));
        for (var one = 0; one < 20; one++) { Send(greedy, "PUT /slow/a", ""); }
        Send(honest, "PUT /slow/a", "");

        for (var answers = 1; answers <= 3; answers++) { Open("a", answers); }

        CodesOf(honest).Should().Equal("2.04");
        CodesOf(greedy).Should().HaveCount(2, "the other client had its turn");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_resource_declares_once_how_it_handles_conditions(bool hasTag)
    {
        var resource = new ResourceMap().At("x");
        if (hasTag) { resource.WithTag(static _ => null); }
        else { resource.HandlesConditions(); }

        resource.Invoking(static one => one.WithTag(static _ => null)).Should().Throw<InvalidOperationException>().WithMessage("*'/x'*WithTag*HandlesConditions*");
        resource.Invoking(static one => one.HandlesConditions()).Should().Throw<InvalidOperationException>();
        resource.Invoking(static one => one.WithTag((Func<IncomingRequest, ETag?>)null!)).Should().Throw<ArgumentNullException>();
    }

    private void Map(ResourceMap map)
    {
        map.At("undeclared").Get(Log, HandlerMode.Inline).Put(Log, HandlerMode.Inline).Delete(Log, HandlerMode.Inline);
        map.At("handler").HandlesConditions().Put(
            static request => request.Options.Get<IfMatch>() == new IfMatch(new byte[] { 7 }) ? Response.Changed : Response.NotFound, HandlerMode.Inline);
        map.At("thing").WithTag(_ => Tag).Put(Log, HandlerMode.Inline).Get(
            request =>
            {
                Log(request);
                return new(ResponseCode.Content) { Options = request.Query("own") is null ? [] : [new ETag(new byte[] { 0x99 })] };
            },
            HandlerMode.Inline);
        map.At("hour").WithTag(_ => Tag, TimeSpan.FromHours(1)).Get(_ => new CoapResponse(ResponseCode.Content), HandlerMode.Inline);
        map.At("slow/{gate}").WithTag(_ => Tag).Put(async (request, _) =>
        {
            _log.Enqueue($"PUT {request["gate"]}");
            await (_gates[request["gate"]] = new()).Task;
            _state++;
            return Response.Changed;
        });
    }

    private ETag? Tag => _state is { } state ? new ETag(new[] { state }) : null;

    private CoapResponse Log(IncomingRequest request)
    {
        _log.Enqueue(request.Method == RequestCode.Get ? "GET" : "PUT");
        return Response.Changed;
    }

    private void Put(int? state, string condition, string code)
    {
        _state = (byte?)state;

        Ask("PUT /thing", condition).Should().StartWith(code);

        _log.Should().HaveCount(code == "2.04" ? 1 : 0);
    }

    private ScriptedPeer Join(string name)
    {
        _clients.Add(ScriptedPeer.Client(_wire, name));
        return _clients[^1];
    }

    private void Send(ScriptedPeer client, string request, string options)
    {
        client.Send($"NON [0x{++_lastId:x4}] {request} (Token 0x01) {{{options}}}");
        client.TakeAll(seconds: 0);
    }

    private string Ask(string request, string options)
    {
        var client = Join($"client{_clients.Count}");
        Send(client, request, options);
        return Describe(WireMessage.Read(client.Received.Should().ContainSingle().Subject));
    }

    // A request that waited continues on the thread pool.
    private void Open(string gate, int answers)
    {
        SpinWait.SpinUntil(() => _gates.TryGetValue(gate, out var next) && next.TrySetResult(), Patience).Should().BeTrue();
        SpinWait.SpinUntil(
            () =>
            {
                _clients.ForEach(static client => client.TakeAll(seconds: 0));
                return _clients.Sum(static client => client.Received.Count) == answers;
            },
            Patience).Should().BeTrue($"{answers} answers have to come");
    }

    private static List<string> CodesOf(ScriptedPeer client) => [.. client.Received.Select(WireMessage.Read).Select(static message => Describe(message)[..4])];

    private static string Describe(WireMessage message)
    {
        const int Tag = 4, Age = 14;
        var tags = message.Options.Where(static option => option.Number == Tag).Select(static option => $" ETag {Convert.ToHexString(option.Value)}");
        var ages = message.Options.Where(static option => option.Number == Age)
            .Select(static option => $" Max-Age {option.Value.Aggregate(0, static (number, digit) => (number << 8) | digit)}");
        return $"{message.Code >> 5}.{message.Code & 31:d2}{string.Concat(tags)}{string.Concat(ages)} {System.Text.Encoding.UTF8.GetString(message.Payload)}";
    }
}
